package org.pytorch;

import java.lang.reflect.Array;

/** Primitive arrays by NativeCodes.ARRAY_*. */
final class JavaArrays {
  private static final String[] NAMES = {
      "byte", "boolean", "short", "int", "long", "float", "double"};
  private static final int[] SIZES = {1, 1, 2, 4, 8, 4, 8};

  private JavaArrays() {}

  static int kind(Object array) {
    // The most used first; a look-up by name would be felt in small calls.
    if (array instanceof float[]) {
      return NativeCodes.ARRAY_FLOAT;
    } else if (array instanceof long[]) {
      return NativeCodes.ARRAY_LONG;
    } else if (array instanceof int[]) {
      return NativeCodes.ARRAY_INT;
    } else if (array instanceof byte[]) {
      return NativeCodes.ARRAY_BYTE;
    } else if (array instanceof double[]) {
      return NativeCodes.ARRAY_DOUBLE;
    } else if (array instanceof short[]) {
      return NativeCodes.ARRAY_SHORT;
    } else if (array instanceof boolean[]) {
      return NativeCodes.ARRAY_BOOLEAN;
    }
    throw new IllegalArgumentException(
        "array must be of byte, boolean, short, int, long, float or double, got "
        + array.getClass().getSimpleName());
  }

  static int length(Object array) {
    return Array.getLength(array);
  }

  static int elementSize(int kind) {
    return SIZES[kind];
  }

  static String name(int kind) {
    return NAMES[kind];
  }
}
