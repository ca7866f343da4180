package org.pytorch;

import java.util.Arrays;
import java.util.List;

/** The data of an IValue of kind NAMED_TUPLE. */
final class NamedTuple {
  final List<String> names;
  final IValue[] values;

  NamedTuple(String[] names, IValue... values) {
    this.names = List.of(IValueChecks.elements(names, "names"));
    this.values = IValueChecks.elements(values, "values").clone();
    if (names.length != values.length) {
      throw new IllegalArgumentException("names and values must have the same length, got "
          + names.length + " and " + values.length);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamedTuple && names.equals(((NamedTuple) other).names)
        && Arrays.equals(values, ((NamedTuple) other).values);
  }

  @Override
  public int hashCode() {
    return 31 * names.hashCode() + Arrays.hashCode(values);
  }
}
