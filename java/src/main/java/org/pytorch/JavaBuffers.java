package org.pytorch;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** NIO buffers of every element type. None of these methods changes position, limit or order. */
final class JavaBuffers {
  private JavaBuffers() {}

  /**
   * The remaining elements, seen as the Java type that holds the dtype's raw elements.
   *
   * @throws IllegalArgumentException when the buffer is of another type, or a ByteBuffer whose
   *     bytes do not make whole elements
   */
  static Buffer typed(DType dtype, Buffer data) {
    int wanted = dtype.arrayKind;
    boolean bytes = data instanceof ByteBuffer;
    if (kind(data) == wanted || (bytes && dtype == DType.BOOL)) {
      return data;
    }
    if (!bytes) {
      throw new IllegalArgumentException("data must be a ByteBuffer or a buffer of "
          + JavaArrays.name(wanted) + " for dtype " + dtype + ", got a buffer of "
          + JavaArrays.name(kind(data)));
    }
    if (data.remaining() % dtype.itemSize() != 0) {
      throw new IllegalArgumentException("data has " + data.remaining()
          + " bytes remaining, which is no multiple of the " + dtype.itemSize() + " bytes of "
          + dtype);
    }
    ByteBuffer raw = ((ByteBuffer) data).slice().order(((ByteBuffer) data).order());
    return view(raw, wanted);
  }

  static Buffer view(ByteBuffer raw, int kind) {
    switch (kind) {
      case NativeCodes.ARRAY_SHORT:
        return raw.asShortBuffer();
      case NativeCodes.ARRAY_INT:
        return raw.asIntBuffer();
      case NativeCodes.ARRAY_LONG:
        return raw.asLongBuffer();
      case NativeCodes.ARRAY_FLOAT:
        return raw.asFloatBuffer();
      case NativeCodes.ARRAY_DOUBLE:
        return raw.asDoubleBuffer();
      default:
        return raw;
    }
  }

  static int kind(Buffer buffer) {
    if (buffer instanceof ByteBuffer) {
      return NativeCodes.ARRAY_BYTE;
    } else if (buffer instanceof ShortBuffer) {
      return NativeCodes.ARRAY_SHORT;
    } else if (buffer instanceof IntBuffer) {
      return NativeCodes.ARRAY_INT;
    } else if (buffer instanceof LongBuffer) {
      return NativeCodes.ARRAY_LONG;
    } else if (buffer instanceof FloatBuffer) {
      return NativeCodes.ARRAY_FLOAT;
    } else if (buffer instanceof DoubleBuffer) {
      return NativeCodes.ARRAY_DOUBLE;
    }
    throw new IllegalArgumentException(
        "data must be a buffer of byte, short, int, long, float or double, got "
        + buffer.getClass().getName());
  }

  static int elementSize(Buffer buffer) {
    return JavaArrays.elementSize(kind(buffer));
  }

  /** So many elements from the position on, in the same byte order; the buffer itself stays. */
  static Buffer part(Buffer buffer, int count) {
    Buffer part = buffer instanceof ByteBuffer
        ? ((ByteBuffer) buffer).duplicate().order(((ByteBuffer) buffer).order())
        : buffer.duplicate();
    return part.limit(part.position() + count);
  }

  /** Of the whole buffer, whatever its position and limit. */
  static long bytes(Buffer buffer) {
    return (long) buffer.capacity() * elementSize(buffer);
  }

  static ByteOrder order(Buffer buffer) {
    switch (kind(buffer)) {
      case NativeCodes.ARRAY_SHORT:
        return ((ShortBuffer) buffer).order();
      case NativeCodes.ARRAY_INT:
        return ((IntBuffer) buffer).order();
      case NativeCodes.ARRAY_LONG:
        return ((LongBuffer) buffer).order();
      case NativeCodes.ARRAY_FLOAT:
        return ((FloatBuffer) buffer).order();
      case NativeCodes.ARRAY_DOUBLE:
        return ((DoubleBuffer) buffer).order();
      default:
        return ((ByteBuffer) buffer).order();
    }
  }

  /**
   * Whether libtorch may use the memory as it is: it may write it, and reads it in native order.
   */
  static boolean shareable(Buffer buffer) {
    boolean ordered = buffer instanceof ByteBuffer || order(buffer) == ByteOrder.nativeOrder();
    return buffer.isDirect() && !buffer.isReadOnly() && ordered;
  }

  /** The remaining elements, by value, in an array of the buffer's element type. */
  static Object copy(Buffer buffer) {
    Buffer source = buffer.duplicate();
    int count = source.remaining();
    switch (kind(buffer)) {
      case NativeCodes.ARRAY_SHORT:
        short[] shorts = new short[count];
        ((ShortBuffer) source).get(shorts);
        return shorts;
      case NativeCodes.ARRAY_INT:
        int[] ints = new int[count];
        ((IntBuffer) source).get(ints);
        return ints;
      case NativeCodes.ARRAY_LONG:
        long[] longs = new long[count];
        ((LongBuffer) source).get(longs);
        return longs;
      case NativeCodes.ARRAY_FLOAT:
        float[] floats = new float[count];
        ((FloatBuffer) source).get(floats);
        return floats;
      case NativeCodes.ARRAY_DOUBLE:
        double[] doubles = new double[count];
        ((DoubleBuffer) source).get(doubles);
        return doubles;
      default:
        byte[] bytes = new byte[count];
        ((ByteBuffer) source).get(bytes);
        return bytes;
    }
  }
}
