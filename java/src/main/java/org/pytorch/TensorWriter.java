package org.pytorch;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;

/** Copies elements into tensors that exist. */
final class TensorWriter {
  private TensorWriter() {}

  static void from(Tensor tensor, TensorInfo info, Object array, int offset) {
    IValueChecks.notNull(array, "array");
    if (!array.getClass().isArray()) {
      throw new IllegalArgumentException(
          "array must be a primitive array, got " + array.getClass().getName());
    }
    int kind = JavaArrays.kind(array);
    checkKind(info, kind);
    long count = info.arrayLength(kind);
    if (offset < 0 || count > JavaArrays.length(array) - (long) offset) {
      throw new IllegalArgumentException("array must have " + count + " elements from index "
          + offset + " on, for " + describe(info) + "; it has " + JavaArrays.length(array));
    }
    write(tensor, info, array, kind, offset, (int) count);
  }

  /** From position on; moves the position behind the elements. */
  static void from(Tensor tensor, TensorInfo info, Buffer buffer) {
    IValueChecks.notNull(buffer, "buffer");
    boolean rounded = buffer instanceof FloatBuffer && isHalf(info);
    long count = count(info, buffer, rounded);
    if (count > buffer.remaining()) {
      throw new IllegalArgumentException("buffer must have " + count + " elements remaining, for "
          + describe(info) + "; it has " + buffer.remaining());
    }
    Buffer part = JavaBuffers.part(buffer, (int) count);
    Buffer typed = rounded ? part : JavaBuffers.typed(info.dtype, part);
    if (typed.isDirect() && !rounded && JavaBuffers.order(typed) == ByteOrder.nativeOrder()) {
      writeDirect(tensor, typed);
    } else {
      Object array = JavaBuffers.copy(typed);
      write(tensor, info, array, JavaArrays.kind(array), 0, JavaArrays.length(array));
    }
    buffer.position(buffer.position() + (int) count);
  }

  /** Elements of this buffer that fill the tensor. */
  private static long count(TensorInfo info, Buffer buffer, boolean rounded) {
    if (buffer instanceof ByteBuffer) {
      return info.nbytes();
    }
    return rounded ? info.numel : info.arrayLength(info.dtype.arrayKind);
  }

  private static boolean isHalf(TensorInfo info) {
    return info.dtype == DType.FLOAT16 || info.dtype == DType.BFLOAT16;
  }

  private static void checkKind(TensorInfo info, int kind) {
    boolean fits = kind == info.dtype.arrayKind || kind == NativeCodes.ARRAY_BYTE
        || (isHalf(info) && kind == NativeCodes.ARRAY_FLOAT);
    if (!fits) {
      throw new IllegalArgumentException("Tensor of type Tensor_" + info.dtype.torchName()
          + " cannot be filled from a " + JavaArrays.name(kind) + " array: use an array of "
          + JavaArrays.name(info.dtype.arrayKind) + ", or of byte for raw elements");
    }
  }

  private static String describe(TensorInfo info) {
    return info.dtype.torchName() + " of shape " + Arrays.toString(info.shape);
  }

  private static void write(
      Tensor tensor, TensorInfo info, Object array, int kind, int start, int count) {
    boolean rounded = kind == NativeCodes.ARRAY_FLOAT && info.dtype.arrayKind != kind;
    long address = tensor.handle().enter();
    try {
      if (rounded) {
        NativeTensor.copyFromFloats(address, (float[]) array, start, count);
      } else {
        NativeTensor.copyFromArray(address, array, kind, start, count);
      }
    } finally {
      tensor.handle().exit();
      Reference.reachabilityFence(tensor);
    }
  }

  private static void writeDirect(Tensor tensor, Buffer typed) {
    long offset = (long) typed.position() * JavaBuffers.elementSize(typed);
    long address = tensor.handle().enter();
    try {
      NativeTensor.copyFromBuffer(address, typed, offset);
    } finally {
      tensor.handle().exit();
      Reference.reachabilityFence(tensor);
    }
  }
}
