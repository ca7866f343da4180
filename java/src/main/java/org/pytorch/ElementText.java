package org.pytorch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Single elements as text, exactly: unsigned as unsigned, half as the float it stands for. */
final class ElementText {
  private ElementText() {}

  static String[] of(DType dtype, ByteBuffer readOnly, int count) {
    // asByteBuffer() promises native order; stated again, since duplicate() forgets it.
    ByteBuffer data = readOnly.duplicate().order(ByteOrder.nativeOrder());
    String[] texts = new String[count];
    for (int i = 0; i < count; i++) {
      texts[i] = text(dtype, data, i * dtype.itemSize());
    }
    return texts;
  }

  /** The element at a byte offset of a buffer in native order. */
  static String text(DType dtype, ByteBuffer data, int at) {
    switch (dtype) {
      case BOOL:
        return data.get(at) == 0 ? "false" : "true";
      case UINT8:
        return Integer.toString(data.get(at) & 0xff);
      case INT8:
        return Byte.toString(data.get(at));
      case INT16:
        return Short.toString(data.getShort(at));
      case UINT16:
        return Integer.toString(data.getShort(at) & 0xffff);
      case INT32:
        return Integer.toString(data.getInt(at));
      case UINT32:
        return Integer.toUnsignedString(data.getInt(at));
      case INT64:
        return Long.toString(data.getLong(at));
      case UINT64:
        return Long.toUnsignedString(data.getLong(at));
      case FLOAT16:
        return Float.toString(halfToFloat(data.getShort(at)));
      case BFLOAT16:
        return Float.toString(Float.intBitsToFloat(data.getShort(at) << 16));
      case FLOAT32:
        return Float.toString(data.getFloat(at));
      case FLOAT64:
        return Double.toString(data.getDouble(at));
      case COMPLEX64:
        return ComplexText.of(data.getFloat(at), data.getFloat(at + 4));
      default:
        return ComplexText.of(data.getDouble(at), data.getDouble(at + 8));
    }
  }

  /** IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits. */
  private static float halfToFloat(short bits) {
    int exponent = bits >> 10 & 0x1f;
    int fraction = bits & 0x3ff;
    float magnitude;
    if (exponent == 0x1f) {
      magnitude = fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
    } else if (exponent == 0) {
      magnitude = Math.scalb((float) fraction, -24);
    } else {
      magnitude = Math.scalb((float) (fraction | 0x400), exponent - 25);
    }
    return bits < 0 ? -magnitude : magnitude;
  }
}
