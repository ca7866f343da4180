package org.pytorch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What came of running the example calls that {@code torch4j export} stored in a model's file, and
 * of comparing the results with those that Python gave: see {@link Module#selfTest()}.
 */
public final class SelfTest {
  static final String FILE = "torch4j.examples.pt";

  /**
   * One call.
   *
   * @param method the method called
   * @param example its number, from 0
   * @param elements elements of tensors, and other values, that were compared
   * @param identical how many of them are the same to the bit
   * @param largestDifference of floating point elements, absolute; 0 when there is none
   * @param difference the first difference, or null when there is none
   */
  public record Result(String method, int example, long elements, long identical,
      double largestDifference, String difference) {
    /**
     * Whether Java answered as Python did, to the bit.
     *
     * @return true when there is no difference
     */
    public boolean passed() {
      return difference == null;
    }

    /** Such as {@code forward, example 0: 2 of 2 identical}. */
    @Override
    public String toString() {
      return method + ", example " + example + ": " + identical + " of " + elements + " identical"
          + (passed() ? "" : "; " + difference);
    }
  }

  private final List<Result> results;

  private SelfTest(List<Result> results) {
    this.results = List.copyOf(results);
  }

  /**
   * Whether all calls answered as in Python, to the bit.
   *
   * @return true when all did, and there was at least one
   */
  public boolean passed() {
    return !results.isEmpty() && results.stream().allMatch(Result::passed);
  }

  /**
   * All calls.
   *
   * @return an unmodifiable list
   */
  public List<Result> results() {
    return results;
  }

  /** A line for each call. */
  @Override
  public String toString() {
    StringBuilder lines = new StringBuilder(passed() ? "passed" : "FAILED");
    results.forEach(result -> lines.append('\n').append(result));
    return lines.toString();
  }

  /** Runs all examples on copies of the module, as export did: each method on a fresh one. */
  static SelfTest of(Module module, Signature signature, byte[] archive) {
    int threads = Torch.getNumThreads();
    // Sums may come out in another order with more; export took the answers with one.
    Torch.setNumThreads(1);
    try (Module examples = Module.load(archive)) {
      List<Result> results = new ArrayList<>();
      for (Map.Entry<String, Signature.Method> entry : signature.methods().entrySet()) {
        try (Module fresh = module.copy()) {
          for (int i = 0; i < entry.getValue().examples(); i++) {
            results.add(run(fresh, examples, entry.getKey(), i));
          }
        }
      }
      return new SelfTest(results);
    } finally {
      Torch.setNumThreads(threads);
    }
  }

  private static Result run(Module module, Module examples, String method, int index) {
    String name = method + "_" + index;
    IValue arguments = examples.attribute(name + "_args");
    IValue expected = examples.attribute(name + "_result");
    IValue found = IValue.optionalNull();
    ValueComparison comparison = new ValueComparison();
    try {
      found = module.runMethod(method, arguments.toTuple());
      comparison.compare(expected, found, "outputs");
    } catch (TorchException | IllegalStateException e) {
      comparison.first = "it failed: " + e;
    } finally {
      arguments.forEachTensor(Tensor::close);
      expected.forEachTensor(Tensor::close);
      found.forEachTensor(Tensor::close);
    }
    return new Result(method, index, comparison.elements, comparison.identical, comparison.largest,
        comparison.first);
  }
}
