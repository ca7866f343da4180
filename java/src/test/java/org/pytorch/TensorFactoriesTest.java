package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The checks of the factories, in the official order and words, and every kind of buffer. */
class TensorFactoriesTest {
  private static void refused(String message, Executable call) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
    assertTrue(e.getMessage().startsWith(message), e.getMessage());
  }

  @Test
  void checksInTheOfficialOrder() {
    refused("Data array must be not null", () -> Tensor.fromBlob((int[]) null, null));
    refused("Data buffer must be not null", () -> Tensor.fromBlob((IntBuffer) null, null));
    refused("Shape must be not null", () -> Tensor.fromBlob(new int[1], null));
    refused("Shape elements must be non negative",
        () -> Tensor.fromBlob(new int[1], new long[] {-1, -1}));
    refused("Inconsistent data capacity:3 and shape number elements:2 shape:[2]",
        () -> Tensor.fromBlob(new int[3], new long[] {2}));
    refused(
        "Inconsistent data capacity", () -> Tensor.fromBlob(IntBuffer.allocate(3), new long[] {2}));
    refused("Data buffer must be direct (java.nio.ByteBuffer#allocateDirect)",
        () -> Tensor.fromBlob(IntBuffer.allocate(2), new long[] {2}));
    FloatBuffer bigEndian = ByteBuffer.allocateDirect(8).asFloatBuffer();
    refused("Data buffer must have native byte order (java.nio.ByteOrder#nativeOrder)",
        () -> Tensor.fromBlob(bigEndian, new long[] {2}));
  }

  @Test
  void countsElementsInLong() {
    assertEquals(1, Tensor.numel(new long[0]));
    assertEquals(4294967296L, Tensor.numel(new long[] {65536, 65536}));
    assertEquals(0, Tensor.numel(new long[] {Long.MAX_VALUE, Long.MAX_VALUE, 0}));
    refused(
        "Shape has more than 2^63-1 elements", () -> Tensor.numel(new long[] {1L << 32, 1L << 31}));
    refused("Inconsistent", () -> Tensor.fromBlob(new float[0], new long[] {65536, 65536}));
    refused("numElements must be between 0 and", () -> Tensor.allocateFloatBuffer(1 << 30));
    refused("numElements must be between 0 and", () -> Tensor.allocateByteBuffer(-1));
  }

  @Test
  void complexCountsDoNotOverflow() {
    refused("Inconsistent", () -> Tensor.fromComplex(new float[0], new long[] {1L << 62}));
    refused("array must be of byte", () -> {
      try (Tensor tensor = Tensor.fromBlob(new int[2], new long[] {2})) {
        tensor.copyTo(new char[2], 0);
      }
    });
  }

  @Test
  void memoryFormatMustFitTheRank() {
    refused("memoryFormat CHANNELS_LAST needs a shape of 3 or 4 dimensions, got 2",
        () -> Tensor.fromBlob(new int[4], new long[] {2, 2}, MemoryFormat.CHANNELS_LAST));
    refused(
        "memoryFormat must be not null", () -> Tensor.fromBlob(new int[1], new long[] {1}, null));
  }

  @Test
  void arraysAreCopiedAndBuffersShared() {
    int[] array = {1, 2};
    IntBuffer buffer = Tensor.allocateIntBuffer(2).put(array);
    try (Tensor copied = Tensor.fromBlob(array, new long[] {2});
        Tensor shared = Tensor.fromBlob(buffer, new long[] {2})) {
      array[0] = 9;
      buffer.put(0, 9);
      assertArrayEquals(new int[] {1, 2}, copied.getDataAsIntArray());
      assertArrayEquals(new int[] {9, 2}, shared.getDataAsIntArray());
      assertEquals(2, buffer.position());
    }
  }

  @Test
  void a12EveryBufferByValue() {
    ByteBuffer direct = ByteBuffer.allocateDirect(21); // big-endian, as Java makes them
    direct.position(4);
    for (int i = 0; i < 4; i++) {
      direct.putFloat(4 + 4 * i, i + 0.5f);
    }
    direct.limit(20);
    float[] expected = {0.5f, 1.5f, 2.5f, 3.5f};
    assertFloats(expected, direct.slice()); // slice is big-endian
    assertFloats(expected, direct);
    assertFloats(expected, direct.asFloatBuffer());
    assertFloats(expected, direct.asReadOnlyBuffer());
    assertFloats(expected, FloatBuffer.wrap(new float[] {9, 0.5f, 1.5f, 2.5f, 3.5f}, 1, 4));
    assertFloats(expected, FloatBuffer.wrap(expected).asReadOnlyBuffer());
    assertEquals(4, direct.position());
    assertEquals(20, direct.limit());
  }

  @Test
  void a12UnalignedDirectMemoryIsCopied() {
    ByteBuffer direct = ByteBuffer.allocateDirect(9).order(ByteOrder.nativeOrder());
    direct.putFloat(1, 1.5f).putFloat(5, -2);
    direct.position(1);
    assertFloats(new float[] {1.5f, -2}, direct);
  }

  private static void assertFloats(float[] expected, java.nio.Buffer buffer) {
    try (Tensor tensor = Tensor.fromBuffer(DType.FLOAT32, buffer, new long[] {expected.length})) {
      assertArrayEquals(expected, tensor.toFloatArray());
    }
  }

  @Test
  void a12BuffersOfAnotherTypeAreRefused() {
    refused("data must be a ByteBuffer or a buffer of float for dtype FLOAT32, got a buffer of int",
        () -> Tensor.fromBuffer(DType.FLOAT32, IntBuffer.allocate(1), new long[] {1}));
    refused("data has 3 bytes remaining",
        () -> Tensor.fromBuffer(DType.FLOAT32, ByteBuffer.allocate(3), new long[] {1}));
  }
}
