package org.pytorch;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Makes tensors out of Java arrays and buffers, after the checks. */
final class TensorData {
  private TensorData() {}

  static Tensor fromArray(DType dtype, Object array, long[] shape, MemoryFormat format) {
    notNull(array, "Data array");
    checkCount(dtype, JavaArrays.length(array), rawCount(dtype, TensorShape.numel(shape)), shape);
    TensorShape.checkFormat(shape, format);
    NativeLibrary.load();
    int kind = JavaArrays.kind(array);
    return Tensor.adopt(NativeTensor.fromArray(array, kind, dtype.jniCode, shape, format.jniCode),
        TensorInfo.made(dtype, shape, format));
  }

  static Tensor fromFloats(DType dtype, float[] values, long[] shape, MemoryFormat format) {
    notNull(values, "Data array");
    checkCount(dtype, values.length, TensorShape.numel(shape), shape);
    TensorShape.checkFormat(shape, format);
    NativeLibrary.load();
    return Tensor.adopt(NativeTensor.fromFloats(values, dtype.jniCode, shape, format.jniCode),
        TensorInfo.made(dtype, shape, format));
  }

  /** The official overloads: whole direct native-order buffers; position and limit mean nothing. */
  static Tensor fromDirect(DType dtype, Buffer data, long[] shape, MemoryFormat format) {
    notNull(data, "Data buffer");
    checkCount(dtype, data.capacity(), TensorShape.numel(shape), shape);
    if (!data.isDirect()) {
      throw new IllegalArgumentException(
          "Data buffer must be direct (java.nio.ByteBuffer#allocateDirect)");
    }
    // A ByteBuffer of single bytes has no order to be wrong, but the official check asks all the
    // same.
    if (JavaBuffers.order(data) != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException(
          "Data buffer must have native byte order (java.nio.ByteOrder#nativeOrder)");
    }
    return fromBuffer(dtype, data.duplicate().clear(), shape, format);
  }

  static Tensor fromBuffer(DType dtype, Buffer data, long[] shape, MemoryFormat format) {
    notNull(dtype, "dtype");
    notNull(data, "Data buffer");
    Buffer typed = JavaBuffers.typed(dtype, data);
    checkCount(dtype, typed.remaining(), rawCount(dtype, TensorShape.numel(shape)), shape);
    TensorShape.checkFormat(shape, format);
    if (!JavaBuffers.shareable(typed) || dtype == DType.BOOL || typed.remaining() == 0) {
      return fromArray(dtype, JavaBuffers.copy(typed), shape, format);
    }
    NativeLibrary.load();
    long offset = (long) typed.position() * JavaBuffers.elementSize(typed);
    return Tensor.adoptOver(typed,
        NativeTensor.fromBuffer(typed, offset, dtype.jniCode, shape, format.jniCode),
        TensorInfo.made(dtype, shape, format));
  }

  static ByteBuffer allocate(int numElements, int size) {
    long bytes = (long) numElements * size;
    if (numElements < 0 || bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "numElements must be between 0 and " + Integer.MAX_VALUE / size + ", got " + numElements);
    }
    return ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
  }

  static void notNull(Object value, String name) {
    if (value == null) {
      throw new IllegalArgumentException(name + " must be not null");
    }
  }

  /** Java elements of so many tensor elements: two for each complex one. */
  static long rawCount(DType dtype, long numel) {
    // No Java array or buffer has so many: the count then differs, and is told as that.
    boolean overflows = numel > Long.MAX_VALUE / 2;
    return dtype.isComplex() ? (overflows ? Long.MAX_VALUE : 2 * numel) : numel;
  }

  private static void checkCount(DType dtype, long given, long expected, long[] shape) {
    if (given != expected) {
      throw new IllegalArgumentException(
          String.format("Inconsistent data capacity:%d and shape number elements:%d shape:%s",
              given, expected, Arrays.toString(shape))
          + (dtype.isComplex() ? " (complex: two data elements for each)" : ""));
    }
  }
}
