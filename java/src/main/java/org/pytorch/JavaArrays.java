package org.pytorch;

import java.lang.reflect.Array;

/** Primitive arrays by NativeCodes.ARRAY_*. */
final class JavaArrays {
  private static final String[] NAMES = {
      "byte", "boolean", "short", "int", "long", "float", "double"};
  private static final int[] SIZES = {1, 1, 2, 4, 8, 4, 8};

  private JavaArrays() {}

  static int kind(Object array) {
    String element = array.getClass().getComponentType().getName();
    for (int kind = 0; kind < NAMES.length; kind++) {
      if (NAMES[kind].equals(element)) {
        return kind;
      }
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
