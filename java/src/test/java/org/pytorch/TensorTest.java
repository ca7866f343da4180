package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.junit.jupiter.api.Test;

/** Tensors as a Java developer uses them. */
class TensorTest {
  private static final long[] TWO = {2};

  @Test
  void shapeIsTheUsersToWrite() {
    long[] shape = {2, 1};
    try (Tensor tensor = Tensor.fromBlob(new int[2], shape)) {
      shape[0] = 7;
      tensor.shape()[0] = 8;
      assertArrayEquals(new long[] {2, 1}, tensor.shape());
      assertArrayEquals(new long[] {1, 1}, tensor.stride());
      assertEquals(8, tensor.nbytes());
      assertEquals(Device.CPU, tensor.device());
    }
  }

  @Test
  void getterOfAnotherDtypeIsRefusedInTheOfficialWords() {
    try (Tensor tensor = Tensor.fromBlobUnsigned(new byte[2], TWO)) {
      IllegalStateException e =
          assertThrows(IllegalStateException.class, tensor::getDataAsByteArray);
      assertEquals("Tensor of type Tensor_uint8 cannot return data as byte array.", e.getMessage());
      e = assertThrows(IllegalStateException.class, tensor::getDataAsFloatArray);
      assertEquals(
          "Tensor of type Tensor_uint8 cannot return data as float array.", e.getMessage());
    }
  }

  @Test
  void printsOfficialHeadAndValues() {
    try (Tensor matrix = Tensor.fromBlob(new float[] {1, 2, 3, 4}, new long[] {2, 2});
        Tensor scalar = Tensor.fromBlob(new long[] {7}, new long[0]);
        Tensor empty = Tensor.fromBlob(new long[0], new long[] {0, 3});
        Tensor large = Tensor.fromBlob(new byte[100], new long[] {100});
        Tensor half = Tensor.fromHalf(new float[] {1.5f, -0f}, TWO)) {
      assertEquals(
          "Tensor([2, 2], dtype=torch.float32) [[1.0, 2.0], [3.0, 4.0]]", matrix.toString());
      assertEquals("Tensor([], dtype=torch.int64) 7", scalar.toString());
      assertEquals("Tensor([0, 3], dtype=torch.int64)", empty.toString());
      assertTrue(large.toString().endsWith(", 0, ...]"), large.toString());
      assertEquals("Tensor([2], dtype=torch.float16) [1.5, -0.0]", half.toString());
    }
  }

  @Test
  void officialGettersGiveMemoryOrderAndNewOnesLogicalOrder() {
    float[] nhwc = {0, 10, 1, 11, 2, 12, 3, 13};
    long[] nchw = {1, 2, 2, 2};
    try (Tensor tensor = Tensor.fromBlob(nhwc, nchw, MemoryFormat.CHANNELS_LAST)) {
      assertArrayEquals(nhwc, tensor.getDataAsFloatArray());
      assertArrayEquals(new float[] {0, 1, 2, 3, 10, 11, 12, 13}, tensor.toFloatArray());
      assertEquals(MemoryFormat.CHANNELS_LAST, tensor.memoryFormat());
      try (Tensor contiguous = tensor.contiguous()) {
        assertEquals(MemoryFormat.CONTIGUOUS, contiguous.memoryFormat());
        assertArrayEquals(tensor.toFloatArray(), contiguous.getDataAsFloatArray());
      }
    }
  }

  @Test
  void copiesIntoArraysAndBuffers() {
    try (Tensor tensor = Tensor.fromBlob(new float[] {1, 2}, TWO)) {
      float[] array = new float[4];
      tensor.copyTo(array, 1);
      assertArrayEquals(new float[] {0, 1, 2, 0}, array);
      assertThrows(IllegalArgumentException.class, () -> tensor.copyTo(array, 3));
      assertThrows(IllegalArgumentException.class, () -> tensor.copyTo(array, -1));
      assertThrows(IllegalArgumentException.class, () -> tensor.copyTo("text", 0));
      assertThrows(IllegalStateException.class, () -> tensor.copyTo(new int[4], 0));
      ByteBuffer bytes = ByteBuffer.allocateDirect(9); // big-endian
      bytes.position(1);
      tensor.copyTo(bytes);
      assertEquals(9, bytes.position());
      assertEquals(2f, bytes.getFloat(5));
      FloatBuffer heap = FloatBuffer.allocate(2);
      tensor.copyTo(heap);
      assertEquals(1f, heap.get(0));
      assertThrows(IllegalArgumentException.class, () -> tensor.copyTo(heap.asReadOnlyBuffer()));
      FloatBuffer direct = Tensor.allocateFloatBuffer(3);
      direct.position(1);
      tensor.copyTo(direct);
      assertEquals(2f, direct.get(2));
    }
  }

  @Test
  void viewOutlivesTheTensor() {
    ByteBuffer view;
    try (Tensor tensor = Tensor.fromBlob(new int[] {5, 6}, TWO)) {
      view = tensor.asByteBuffer();
    }
    assertTrue(view.isReadOnly() && view.order() == ByteOrder.nativeOrder());
    assertEquals(6, view.getInt(4));
  }

  @Test
  void halfRoundsToNearestEvenAndWidensExactly() {
    float[] values = {65504, 65520, 2049, 2051, 1e-8f, Float.NaN, Float.NEGATIVE_INFINITY};
    try (Tensor half = Tensor.fromHalf(values, new long[] {7})) {
      float inf = Float.POSITIVE_INFINITY;
      float[] expected = {65504, inf, 2048, 2052, 0, Float.NaN, -inf};
      assertArrayEquals(expected, half.toFloatArray());
      assertEquals((short) 0x7bff, half.toShortArray()[0]);
    }
  }

  @Test
  void closeTwiceAndUseAfterClose() {
    Tensor tensor = Tensor.fromBlob(new int[2], TWO);
    assertFalse(tensor.isClosed());
    tensor.close();
    tensor.close();
    assertTrue(tensor.isClosed());
    IllegalStateException e = assertThrows(IllegalStateException.class, tensor::getDataAsIntArray);
    assertEquals("tensor is closed", e.getMessage());
    assertThrows(IllegalStateException.class, tensor::shape);
    assertEquals("Tensor(closed)", tensor.toString());
  }

  @Test
  void reshapesAndConverts() {
    try (Tensor tensor = Tensor.fromBlob(new int[] {1, 0, 3, 4}, new long[] {2, 2});
        Tensor row = tensor.reshape(-1); Tensor bool = tensor.to(DType.BOOL)) {
      assertArrayEquals(new long[] {4}, row.shape());
      assertArrayEquals(new boolean[] {true, false, true, true}, bool.toBooleanArray());
      assertThrows(IllegalArgumentException.class, () -> tensor.reshape(3));
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> tensor.to(Device.VULKAN));
      assertTrue(e.getMessage().contains("use Device.CPU"), e.getMessage());
    }
  }

  @Test
  void boolBytesAreOnlyEverZeroAndOne() {
    try (Tensor tensor = Tensor.fromBytes(DType.BOOL, new byte[] {0, 7}, TWO)) {
      assertArrayEquals(new byte[] {0, 1}, tensor.toByteArray());
    }
  }
}
