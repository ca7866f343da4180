import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.DoubleAdder;
import org.pytorch.IValue;
import org.pytorch.LoadOptions;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.Torch;

/**
 * The Java side of the benchmark, and a C++ loop in the same JVM. Arguments: model, mode, shape
 * such as 1x4, option, intra-op threads, calls, the library of the loop. For each line on its input
 * it prints one round, of what the line says: "cpp" of the loop, "arraycopy" and "nothing" of
 * those, "bytes" the heap bytes per call, "bare bytes" those of forward(Tensor), "mallocs" the
 * native allocations per call of Java and of the loop, a number the calls per second of so many
 * callers, "2 apart" the same with a module for each, else of Java. A round is mean, p99 and least
 * nanoseconds per call.
 */
public class Bench {
  private static native void open(String path, String mode, String shape, String option);

  private static native double[] loop(int calls);

  private static native void nothing();

  private static native long mallocs();

  /** Nanoseconds for which threads call together. */
  private static final long WINDOW = 500_000_000;

  private static float sink;

  private final Path path;
  private final LoadOptions options;
  private final Module module;
  private final List<Module> modules = new ArrayList<>();
  private final long[] shape;
  private final Tensor input;
  private final IValue argument;
  private final float[] in;
  private final float[] other;
  private float[] out;

  private Bench(String path, String option, long[] shape) {
    this.path = Path.of(path);
    options = LoadOptions.defaults()
                  .withFreeze(!option.equals("plain"))
                  .withOptimizeForInference(option.equals("optimize"));
    module = Module.load(this.path, options);
    this.shape = shape;
    in = new float[(int) Tensor.numel(shape)];
    Arrays.fill(in, 1);
    other = in.clone();
    input = Tensor.fromBlob(in, shape);
    argument = IValue.from(input);
  }

  /** Nothing but the two objects of a tensor. */
  private void bare() {
    module.forward(input).close();
  }

  private void tensor() {
    module.forward(argument).toTensor().close();
  }

  private void floats() {
    try (Tensor x = Tensor.fromBlob(in, shape); Tensor y = module.forward(x)) {
      sink = y.getDataAsFloatArray()[0];
    }
  }

  private void kept() {
    input.copyFrom(in);
    try (Tensor y = module.forward(input)) {
      if (out == null) {
        out = new float[(int) y.numel()];
      }
      y.copyTo(out, 0);
    }
  }

  private void values() {
    Map<String, IValue> named = new LinkedHashMap<>();
    for (String name : new String[] {"a", "b", "c"}) {
      named.put(name, argument);
    }
    IValue[] result =
        module.forward(IValue.dictStringKeyFrom(named), IValue.listFrom(1L, 2L, 3L, 4L)).toTuple();
    for (IValue value : result[0].toDictStringKey().values()) {
      value.toTensor().close();
    }
    sink = result[1].toLongList().length;
  }

  private void arraycopy() {
    System.arraycopy(in, 0, other, 0, in.length);
    sink = other[in.length - 1];
  }

  private Runnable call(String mode) {
    switch (mode) {
      case "tensor":
        return this::tensor;
      case "bare":
        return this::bare;
      case "floats":
        return this::floats;
      case "kept":
        return this::kept;
      case "values":
        return this::values;
      case "arraycopy":
        return this::arraycopy;
      case "nothing":
        return Bench::nothing;
      default:
        throw new IllegalArgumentException("no mode " + mode);
    }
  }

  private static double[] round(Runnable call, int calls) {
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      call.run();
    }
    double mean = (System.nanoTime() - start) / (double) calls;
    long[] times = new long[Math.min(calls, 200)];
    for (int i = 0; i < times.length; i++) {
      long before = System.nanoTime();
      call.run();
      times[i] = System.nanoTime() - before;
    }
    Arrays.sort(times);
    return new double[] {mean, times[times.length * 99 / 100], times[0]};
  }

  private static double[] bytes(Runnable call, int calls) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < calls; i++) {
      call.run();
    }
    return new double[] {
        (threads.getCurrentThreadAllocatedBytes() - before) / (double) calls, 0, 0};
  }

  /** Native allocations per call: of Java, and of the C++ loop. */
  private double[] mallocs(int calls) {
    long start = mallocs();
    for (int i = 0; i < calls; i++) {
      bare();
    }
    long middle = mallocs();
    double[] round = loop(calls); // runs up to 200 calls more, to time them one by one
    long end = mallocs();
    return new double[] {(middle - start) / (double) calls,
        (end - middle) / (double) (calls + Math.min(calls, 200)), round[0]};
  }

  /** The callers' modules: this one for all, or for each its own, loaded once and kept. */
  private Module moduleOf(int caller, boolean apart) {
    while (apart && modules.size() <= caller) {
      modules.add(Module.load(path, options));
    }
    return apart ? modules.get(caller) : module;
  }

  /** Calls for WINDOW, with an input of its own as callers have, and returns calls per second. */
  private static double rate(Module module, Tensor input, long start) {
    IValue argument = IValue.from(input);
    long calls = 0;
    long elapsed;
    do {
      module.forward(argument).toTensor().close();
      calls++;
      elapsed = System.nanoTime() - start;
    } while (elapsed < WINDOW);
    return 1e9 * calls / elapsed;
  }

  /**
   * Calls per second of so many callers together. Each counts for itself, so that none waits at the
   * end for one that was disturbed.
   */
  private double[] throughput(int callers, boolean apart) {
    DoubleAdder perSecond = new DoubleAdder();
    Thread[] workers = new Thread[callers];
    Tensor[] inputs = new Tensor[callers];
    for (int i = 0; i < callers; i++) {
      moduleOf(i, apart);
      inputs[i] = Tensor.fromBlob(in, shape);
    }
    long start = System.nanoTime();
    for (int i = 0; i < callers; i++) {
      Module own = moduleOf(i, apart);
      Tensor x = inputs[i];
      workers[i] = new Thread(() -> perSecond.add(rate(own, x, start)));
      workers[i].start();
    }
    try {
      for (Thread worker : workers) {
        worker.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    Arrays.stream(inputs).forEach(Tensor::close);
    return new double[] {perSecond.sum(), 0, 0};
  }

  private double[] answer(String line, String mode, int calls) {
    switch (line) {
      case "cpp":
        return loop(calls);
      case "bytes":
        return bytes(call(mode), calls);
      case "mallocs":
        return mallocs(calls);
      case "bare bytes":
        return bytes(call("bare"), calls);
      case "arraycopy":
      case "nothing":
        return round(call(line), calls);
      case "":
        return round(call(mode), calls);
      default:
        String[] words = line.split(" ");
        return throughput(Integer.parseInt(words[0]), words.length > 1);
    }
  }

  /** Runs rounds. */
  public static void main(String[] args) throws IOException {
    Torch.setNumThreads(Integer.parseInt(args[4]));
    long[] shape = Arrays.stream(args[2].split("x")).mapToLong(Long::parseLong).toArray();
    int calls = Integer.parseInt(args[5]);
    System.load(args[6]);
    open(args[0], args[1], args[2], args[3]);
    Bench bench = new Bench(args[0], args[3], shape);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      double[] found = bench.answer(line, args[1], calls);
      System.out.println(found[0] + " " + found[1] + " " + found[2]);
    }
  }
}
