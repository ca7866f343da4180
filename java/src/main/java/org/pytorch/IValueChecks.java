package org.pytorch;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** What IValue's factories check, and comparison of what it holds. */
final class IValueChecks {
  private IValueChecks() {}

  static <T> T notNull(T value, String name) {
    if (value == null) {
      throw new NullPointerException(name + " must be not null");
    }
    return value;
  }

  static <T> T[] elements(T[] array, String name) {
    notNull(array, name);
    for (int i = 0; i < array.length; i++) {
      if (array[i] == null) {
        throw new NullPointerException(
            name + "[" + i + "] must be not null (None is IValue.optionalNull())");
      }
    }
    return array;
  }

  static <K> Map<K, IValue> entries(Map<K, IValue> map) {
    for (Map.Entry<K, IValue> entry : notNull(map, "map").entrySet()) {
      notNull(entry.getKey(), "key of map");
      notNull(entry.getValue(), "map[" + entry.getKey() + "]");
    }
    return map;
  }

  static IValue[] sameKind(IValue[] array) {
    IValue.Kind first = null;
    for (IValue value : array) {
      if (value.isNull()) {
        continue;
      }
      if (first != null && value.kind() != first) {
        throw new IllegalArgumentException("List must contain items of the same type");
      }
      first = value.kind();
    }
    return array;
  }

  /** A dict of any kind with its keys as values. */
  static Map<IValue, IValue> generic(IValue dict) {
    if (dict.kind() == IValue.Kind.DICT) {
      return asDict(dict.data());
    }
    Map<IValue, IValue> map = new LinkedHashMap<>();
    if (dict.isDictStringKey()) {
      dict.toDictStringKey().forEach((key, value) -> map.put(IValue.from(key), value));
    } else {
      dict.toDictLongKey().forEach((key, value) -> map.put(IValue.from(key), value));
    }
    return map;
  }

  @SuppressWarnings("unchecked")
  static Map<IValue, IValue> asDict(Object data) {
    return (Map<IValue, IValue>) data;
  }

  static boolean same(Object left, Object right) {
    // deepEquals on a pair covers arrays of every type, and everything else by equals.
    return Arrays.deepEquals(new Object[] {left}, new Object[] {right});
  }

  static int hash(Object data) {
    return Arrays.deepHashCode(new Object[] {data});
  }
}
