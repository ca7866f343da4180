package org.pytorch;

import java.util.Arrays;

/** Arithmetic on shapes, in long and with overflow checked. */
final class TensorShape {
  private TensorShape() {}

  static long numel(long[] shape) {
    if (shape == null) {
      throw new IllegalArgumentException("Shape must be not null");
    }
    boolean empty = false;
    for (long dimension : shape) {
      if (dimension < 0) {
        throw new IllegalArgumentException(
            "Shape elements must be non negative: " + Arrays.toString(shape));
      }
      empty |= dimension == 0;
    }
    return empty ? 0 : product(shape);
  }

  private static long product(long[] shape) {
    long product = 1;
    for (long dimension : shape) {
      if (Math.multiplyHigh(product, dimension) != 0 || product * dimension < 0) {
        throw new IllegalArgumentException(
            "Shape has more than 2^63-1 elements: " + Arrays.toString(shape));
      }
      product *= dimension;
    }
    return product;
  }

  /** Checks that the rank has such a memory format: rank 3 or 4 for channels last, 4 or 5 in 3D. */
  static void checkFormat(long[] shape, MemoryFormat format) {
    if (format == null) {
      throw new IllegalArgumentException("memoryFormat must be not null");
    }
    int extra = format == MemoryFormat.CHANNELS_LAST_3D ? 1 : 0;
    boolean fits = shape.length == 3 + extra || shape.length == 4 + extra;
    if (format != MemoryFormat.CONTIGUOUS && !fits) {
      throw new IllegalArgumentException(
          String.format("memoryFormat %s needs a shape of %d or %d dimensions, got %d: %s", format,
              3 + extra, 4 + extra, shape.length, Arrays.toString(shape)));
    }
  }
}
