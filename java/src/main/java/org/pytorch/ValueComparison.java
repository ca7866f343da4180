package org.pytorch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;

/**
 * Compares two values bit by bit: kinds, dtypes, shapes, and elements with NaN payloads and signs
 * of zeros. Counts elements, and keeps the first difference.
 */
final class ValueComparison {
  long elements;
  long identical;
  /** Largest absolute difference of floating point elements that are numbers on both sides. */
  double largest;
  /** Where and how they first differ; null when they do not. */
  String first;

  void compare(IValue expected, IValue found, String place) {
    if (expected.kind() != found.kind()) {
      differ(place, expected.kind() + " expected, got " + found.kind());
    } else if (expected.isTensor()) {
      compare(expected.toTensor(), found.toTensor(), place);
    } else if (expected.data() instanceof Tensor[]) {
      compareAll(expected.toTensorList(), found.toTensorList(), place);
    } else if (expected.data() instanceof IValue[] || expected.isNamedTuple()) {
      compareAll(parts(expected), parts(found), place);
    } else if (expected.isDict()) {
      compare(expected.toDict(), found.toDict(), place);
    } else {
      boolean same = expected.equals(found);
      count(same);
      if (!same) {
        differ(place, expected + " expected, got " + found);
      }
    }
  }

  private static IValue[] parts(IValue value) {
    return value.data() instanceof IValue[] ? (IValue[]) value.data() : value.toTuple();
  }

  private void compareAll(Tensor[] expected, Tensor[] found, String place) {
    IValue[] one = Arrays.stream(expected).map(IValue::from).toArray(IValue[] ::new);
    IValue[] other = Arrays.stream(found).map(IValue::from).toArray(IValue[] ::new);
    compareAll(one, other, place);
  }

  private void compareAll(IValue[] expected, IValue[] found, String place) {
    if (expected.length != found.length) {
      differ(place, expected.length + " elements expected, got " + found.length);
      return;
    }
    for (int i = 0; i < expected.length; i++) {
      compare(expected[i], found[i], place + "[" + i + "]");
    }
  }

  /** Keys in the same order, too: a dict of TorchScript has one. */
  private void compare(Map<IValue, IValue> expected, Map<IValue, IValue> found, String place) {
    if (expected.size() != found.size()) {
      differ(place, expected.size() + " entries expected, got " + found.size());
      return;
    }
    Iterator<Map.Entry<IValue, IValue>> others = found.entrySet().iterator();
    for (Map.Entry<IValue, IValue> entry : expected.entrySet()) {
      Map.Entry<IValue, IValue> other = others.next();
      compare(entry.getKey(), other.getKey(), place + " key");
      compare(entry.getValue(), other.getValue(), place + "[" + entry.getKey() + "]");
    }
  }

  private void compare(Tensor expected, Tensor found, String place) {
    if (expected.dtype() != found.dtype() || !Arrays.equals(expected.shape(), found.shape())) {
      differ(place, describe(expected) + " expected, got " + describe(found));
      return;
    }
    int size = expected.dtype().itemSize();
    ByteBuffer one = bytes(expected);
    ByteBuffer other = bytes(found);
    for (int i = 0; i < expected.numel(); i++) {
      boolean same = one.slice(i * size, size).equals(other.slice(i * size, size));
      count(same);
      if (!same) {
        different(expected.dtype(), one, other, i, place);
      }
    }
  }

  private void different(DType dtype, ByteBuffer one, ByteBuffer other, int index, String place) {
    String wanted = ElementText.text(dtype, one, index * dtype.itemSize());
    String got = ElementText.text(dtype, other, index * dtype.itemSize());
    differ(place, "element " + index + " (in logical order): " + wanted + " expected, got " + got);
    if (dtype == DType.FLOAT32 || dtype == DType.FLOAT64) {
      double difference = Math.abs(Double.parseDouble(wanted) - Double.parseDouble(got));
      largest = Double.isNaN(difference) ? largest : Math.max(largest, difference);
    }
  }

  private static ByteBuffer bytes(Tensor tensor) {
    return ByteBuffer.wrap(tensor.toByteArray()).order(ByteOrder.nativeOrder());
  }

  private static String describe(Tensor tensor) {
    return tensor.dtype().torchName() + " " + Arrays.toString(tensor.shape());
  }

  private void count(boolean same) {
    elements++;
    identical += same ? 1 : 0;
  }

  private void differ(String place, String how) {
    if (first == null) {
      first = place + ": " + how;
    }
  }
}
