package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The enums, and the factories and getters of every dtype. */
class DTypeTest {
  private static final long[] TWO = {2};

  @Test
  void officialConstantsComeFirstInTheOfficialOrder() {
    assertEquals("[UINT8, INT8, INT32, FLOAT32, INT64, FLOAT64, BOOL, INT16, UINT16, UINT32,"
            + " UINT64, FLOAT16, BFLOAT16, COMPLEX64, COMPLEX128]",
        Arrays.toString(DType.values()));
    assertEquals("[CPU, VULKAN, CUDA]", Arrays.toString(Device.values()));
    assertEquals(
        "[CONTIGUOUS, CHANNELS_LAST, CHANNELS_LAST_3D]", Arrays.toString(MemoryFormat.values()));
  }

  @Test
  void itemSizes() {
    int[] sizes = {1, 1, 4, 4, 8, 8, 1, 2, 2, 4, 8, 2, 2, 8, 16};
    assertArrayEquals(sizes, Arrays.stream(DType.values()).mapToInt(DType::itemSize).toArray());
  }

  /** {1, 2} (or {true, false}) of each dtype, by the factory that takes an array. */
  private static Map<DType, Tensor> arrays() {
    Map<DType, Tensor> made = new LinkedHashMap<>();
    made.put(DType.UINT8, Tensor.fromBlobUnsigned(new byte[] {1, 2}, TWO));
    made.put(DType.INT8, Tensor.fromBlob(new byte[] {1, 2}, TWO));
    made.put(DType.INT32, Tensor.fromBlob(new int[] {1, 2}, TWO));
    made.put(DType.FLOAT32, Tensor.fromBlob(new float[] {1, 2}, TWO));
    made.put(DType.INT64, Tensor.fromBlob(new long[] {1, 2}, TWO));
    made.put(DType.FLOAT64, Tensor.fromBlob(new double[] {1, 2}, TWO));
    made.put(DType.BOOL, Tensor.fromBlob(new boolean[] {true, false}, TWO));
    made.put(DType.INT16, Tensor.fromBlob(new short[] {1, 2}, TWO));
    made.put(DType.UINT16, Tensor.fromBlobUnsigned(new short[] {1, 2}, TWO));
    made.put(DType.UINT32, Tensor.fromBlobUnsigned(new int[] {1, 2}, TWO));
    made.put(DType.UINT64, Tensor.fromBlobUnsigned(new long[] {1, 2}, TWO));
    made.put(DType.FLOAT16, Tensor.fromHalf(new float[] {1, 2}, TWO));
    made.put(DType.BFLOAT16, Tensor.fromBfloat16(new float[] {1, 2}, TWO));
    made.put(DType.COMPLEX64, Tensor.fromComplex(new float[] {1, 0, 2, 0}, TWO));
    made.put(DType.COMPLEX128, Tensor.fromComplex(new double[] {1, 0, 2, 0}, TWO));
    return made;
  }

  @Test
  void everyFactoryMakesItsDtypeAndBytesMakeItAgain() {
    Map<DType, Tensor> made = arrays();
    assertEquals(List.of(DType.values()), List.copyOf(made.keySet()));
    made.forEach((dtype, tensor) -> {
      assertEquals(dtype, tensor.dtype());
      assertEquals(2L * dtype.itemSize(), tensor.nbytes());
      byte[] bytes = tensor.toByteArray();
      try (tensor; Tensor again = Tensor.fromBytes(dtype, bytes, TWO)) {
        assertArrayEquals(bytes, again.toByteArray(), dtype::name);
        assertEquals(tensor.toString(), again.toString());
      }
    });
  }

  /** Only the dtypes named have this getter; every other one is refused with its name. */
  private static void reads(Function<Tensor, Object> getter, String words, DType... dtypes) {
    List<DType> readable = List.of(dtypes);
    arrays().forEach((dtype, tensor) -> {
      try (tensor) {
        if (readable.contains(dtype)) {
          getter.apply(tensor);
          return;
        }
        IllegalStateException e =
            assertThrows(IllegalStateException.class, () -> getter.apply(tensor), dtype::name);
        String start = "Tensor of type Tensor_" + dtype.name().toLowerCase(java.util.Locale.ROOT)
            + " cannot return data as " + words;
        assertEquals(start, e.getMessage().substring(0, start.length()));
      }
    });
  }

  @Test
  void officialGettersReadOneDtypeEach() {
    reads(Tensor::getDataAsByteArray, "byte array.", DType.INT8);
    reads(Tensor::getDataAsUnsignedByteArray, "byte array.", DType.UINT8);
    reads(Tensor::getDataAsIntArray, "int array.", DType.INT32);
    reads(Tensor::getDataAsLongArray, "long array.", DType.INT64);
    reads(Tensor::getDataAsFloatArray, "float array.", DType.FLOAT32);
    reads(Tensor::getDataAsDoubleArray, "double array.", DType.FLOAT64);
  }

  @Test
  void newGettersReadTheDtypesOfTheirJavaType() {
    reads(Tensor::toByteArray, "", DType.values());
    reads(Tensor::toBooleanArray, "boolean array", DType.BOOL);
    reads(Tensor::toShortArray, "short array", DType.INT16, DType.UINT16, DType.FLOAT16,
        DType.BFLOAT16);
    reads(Tensor::toIntArray, "int array", DType.INT32, DType.UINT32);
    reads(Tensor::toLongArray, "long array", DType.INT64, DType.UINT64);
    reads(Tensor::toFloatArray, "float array", DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16,
        DType.COMPLEX64);
    reads(Tensor::toDoubleArray, "double array", DType.FLOAT64, DType.COMPLEX128);
  }

  @Test
  void officialBufferFactoriesMakeTheirDtype() {
    ByteBuffer bytes = Tensor.allocateByteBuffer(2).put(0, (byte) 200);
    try (Tensor unsigned = Tensor.fromBlobUnsigned(bytes, TWO);
        Tensor signed = Tensor.fromBlob(bytes, TWO);
        Tensor longs = Tensor.fromBlob(Tensor.allocateLongBuffer(2).put(1, -3), TWO);
        Tensor doubles = Tensor.fromBlob(Tensor.allocateDoubleBuffer(2).put(1, 0.1), TWO);
        Tensor floats = Tensor.fromBlob(Tensor.allocateFloatBuffer(2).put(1, 0.5f), TWO)) {
      assertArrayEquals(new byte[] {-56, 0}, unsigned.getDataAsUnsignedByteArray());
      assertArrayEquals(new byte[] {-56, 0}, signed.getDataAsByteArray());
      assertArrayEquals(new long[] {0, -3}, longs.getDataAsLongArray());
      assertArrayEquals(new double[] {0, 0.1}, doubles.getDataAsDoubleArray());
      assertArrayEquals(new float[] {0, 0.5f}, floats.getDataAsFloatArray());
    }
  }

  /** The official factories read the whole buffer, wherever position and limit stand. */
  @Test
  void officialBufferFactoriesLeavePositionAndLimit() {
    ByteBuffer data = Tensor.allocateByteBuffer(3);
    Buffer moved = data.put(2, (byte) 9).position(1).limit(2);
    try (Tensor tensor = Tensor.fromBlob(data, new long[] {3})) {
      assertArrayEquals(new byte[] {0, 0, 9}, tensor.getDataAsByteArray());
      assertEquals(1, moved.position());
      assertEquals(2, moved.limit());
    }
  }
}
