package org.pytorch;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** Copies the elements of a tensor into Java arrays and buffers. */
final class TensorReader {
  private TensorReader() {}

  static Object newArray(Tensor tensor, TensorInfo info, int kind, boolean storageOrder) {
    checkKind(info, kind);
    int length = length(info, kind);
    Object array = allocate(kind, length);
    read(tensor, info, array, kind, 0, length, storageOrder);
    return array;
  }

  static void into(Tensor tensor, TensorInfo info, Object array, int offset) {
    TensorData.notNull(array, "array");
    if (!array.getClass().isArray() || !array.getClass().getComponentType().isPrimitive()) {
      throw new IllegalArgumentException(
          "array must be a primitive array, got " + array.getClass().getName());
    }
    int kind = JavaArrays.kind(array);
    checkKind(info, kind);
    int length = length(info, kind);
    if (offset < 0 || offset > JavaArrays.length(array) - length) {
      throw new IllegalArgumentException(
          String.format("array of %d elements is too small for %d elements at offset %d",
              JavaArrays.length(array), length, offset));
    }
    read(tensor, info, array, kind, offset, length, false);
  }

  static void into(Tensor tensor, TensorInfo info, Buffer buffer) {
    TensorData.notNull(buffer, "buffer");
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("buffer must be writable, got a read-only one");
    }
    int kind = JavaBuffers.kind(buffer);
    checkKind(info, kind);
    int length = length(info, kind);
    if (buffer.remaining() < length) {
      throw new IllegalArgumentException(
          "buffer has " + buffer.remaining() + " elements remaining, expected at least " + length);
    }
    if (nativeDirect(buffer, info)) {
      readDirect(tensor, buffer);
    } else {
      put(tensor, info, buffer.duplicate(), buffer, kind, length);
    }
    buffer.position(buffer.position() + length);
  }

  private static boolean nativeDirect(Buffer buffer, TensorInfo info) {
    boolean widened =
        buffer instanceof FloatBuffer && info.dtype.arrayKind != NativeCodes.ARRAY_FLOAT;
    return buffer.isDirect() && !widened && JavaBuffers.order(buffer) == ByteOrder.nativeOrder();
  }

  private static void readDirect(Tensor tensor, Buffer buffer) {
    long offset = (long) buffer.position() * JavaBuffers.elementSize(buffer);
    long address = tensor.handle().enter();
    try {
      NativeTensor.toBuffer(address, buffer, offset);
    } finally {
      tensor.handle().exit();
      Reference.reachabilityFence(tensor);
    }
  }

  private static void put(
      Tensor tensor, TensorInfo info, Buffer to, Buffer original, int kind, int length) {
    if (to instanceof ByteBuffer) {
      int raw = info.dtype.arrayKind == NativeCodes.ARRAY_BOOLEAN ? NativeCodes.ARRAY_BYTE
                                                                  : info.dtype.arrayKind;
      ByteBuffer bytes = ((ByteBuffer) to).slice().order(((ByteBuffer) original).order());
      putTyped(newArray(tensor, info, raw, false), JavaBuffers.view(bytes, raw));
    } else {
      putTyped(newArray(tensor, info, kind, false), to);
    }
  }

  private static void putTyped(Object array, Buffer to) {
    if (array instanceof byte[]) {
      ((ByteBuffer) to).put((byte[]) array);
    } else if (array instanceof short[]) {
      ((ShortBuffer) to).put((short[]) array);
    } else if (array instanceof int[]) {
      ((IntBuffer) to).put((int[]) array);
    } else if (array instanceof long[]) {
      ((LongBuffer) to).put((long[]) array);
    } else if (array instanceof float[]) {
      ((FloatBuffer) to).put((float[]) array);
    } else {
      ((DoubleBuffer) to).put((double[]) array);
    }
  }

  private static void read(Tensor tensor, TensorInfo info, Object array, int kind, int start,
      int length, boolean storageOrder) {
    boolean widened = kind == NativeCodes.ARRAY_FLOAT && info.dtype.arrayKind != kind;
    boolean asStored = storageOrder && info.memoryFormat != MemoryFormat.CONTIGUOUS;
    long address = tensor.handle().enter();
    try {
      if (widened) {
        NativeTensor.toFloats(address, (float[]) array, start, length);
      } else {
        NativeTensor.toArray(address, array, kind, start, length, asStored);
      }
    } finally {
      tensor.handle().exit();
      Reference.reachabilityFence(tensor);
    }
  }

  private static void checkKind(TensorInfo info, int kind) {
    boolean half = info.dtype == DType.FLOAT16 || info.dtype == DType.BFLOAT16;
    boolean fits = kind == info.dtype.arrayKind || kind == NativeCodes.ARRAY_BYTE
        || (half && kind == NativeCodes.ARRAY_FLOAT);
    if (!fits) {
      throw new IllegalStateException("Tensor of type Tensor_" + info.dtype.torchName()
          + " cannot return data as " + JavaArrays.name(kind) + " array: use an array of "
          + JavaArrays.name(info.dtype.arrayKind) + ", toByteArray(), or to(DType) first");
    }
  }

  private static int length(TensorInfo info, int kind) {
    long length = info.arrayLength(kind);
    if (length > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException("tensor needs " + length
          + " elements, more than a Java array holds: use narrow(...) to read"
          + " it in parts, or as(MemorySegment.class) on Java 22");
    }
    return (int) length;
  }

  private static Object allocate(int kind, int length) {
    switch (kind) {
      case NativeCodes.ARRAY_BYTE:
        return new byte[length];
      case NativeCodes.ARRAY_BOOLEAN:
        return new boolean[length];
      case NativeCodes.ARRAY_SHORT:
        return new short[length];
      case NativeCodes.ARRAY_INT:
        return new int[length];
      case NativeCodes.ARRAY_LONG:
        return new long[length];
      case NativeCodes.ARRAY_FLOAT:
        return new float[length];
      default:
        return new double[length];
    }
  }
}
