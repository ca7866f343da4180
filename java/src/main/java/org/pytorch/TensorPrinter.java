package org.pytorch;

import java.util.Arrays;

/** Prints tensors. */
final class TensorPrinter {
  private static final int MAX_VALUES = 20;

  private TensorPrinter() {}

  static String print(Tensor tensor) {
    String head = "Tensor(" + Arrays.toString(tensor.shape()) + ", dtype=torch."
        + tensor.dtype().torchName() + ")";
    long numel = tensor.numel();
    return numel == 0 ? head : head + " " + values(tensor, numel);
  }

  private static String values(Tensor tensor, long numel) {
    if (numel > MAX_VALUES) {
      try (Tensor flat = tensor.reshape(-1)) {
        return "[" + joined(firstValues(flat), MAX_VALUES) + ", ...]";
      }
    }
    return nested(firstValues(tensor), tensor.shape(), 0, new int[1]);
  }

  /** Only the head of a large tensor is looked at: printing must not copy gigabytes. */
  private static String[] firstValues(Tensor tensor) {
    int count = (int) Math.min(tensor.numel(), MAX_VALUES);
    if (tensor.device() != Device.CPU || tensor.nbytes() > Integer.MAX_VALUE) {
      String[] hidden = new String[count];
      Arrays.fill(hidden, "?");
      return hidden;
    }
    return ElementText.of(tensor.dtype(), tensor.asByteBuffer(), count);
  }

  private static String joined(String[] values, int count) {
    return String.join(", ", Arrays.asList(values).subList(0, count));
  }

  private static String nested(String[] values, long[] shape, int dimension, int[] next) {
    if (dimension == shape.length) {
      return values[next[0]++];
    }
    StringBuilder text = new StringBuilder("[");
    for (long i = 0; i < shape[dimension]; i++) {
      text.append(i == 0 ? "" : ", ").append(nested(values, shape, dimension + 1, next));
    }
    return text.append("]").toString();
  }
}
