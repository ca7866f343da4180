import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.TensorScope;
import org.pytorch.Torch;

/**
 * The Java side of torch4j bench. Arguments: model, inputs, method, intra-op threads.
 *
 * <p>Every side speaks the same lines: python_side.py tells them.
 */
public final class BenchSide {
  private static final int MAX_CALLS = 1_000_000;
  private static final int FIRST_CALLS = 3;

  private final Module module;
  private final String method;
  private final IValue[] args;

  private BenchSide(Module module, String method, IValue[] args) {
    this.module = module;
    this.method = method;
    this.args = args;
  }

  /** Calls once and closes the result, which is a tensor. */
  private long call() {
    long start = System.nanoTime();
    module.runMethod(method, args).toTensor().close();
    return System.nanoTime() - start;
  }

  /** The same for any result: a scope closes the tensors inside. */
  private long callInScope() {
    long start = System.nanoTime();
    try (TensorScope scope = TensorScope.open()) {
      module.runMethod(method, args);
    }
    return System.nanoTime() - start;
  }

  private long callEither(boolean simple) {
    return simple ? call() : callInScope();
  }

  private boolean givesTensor() {
    return module.schema(method).returns().equals(List.of("Tensor"));
  }

  private void calls(long nanos, Path path) throws IOException {
    boolean simple = givesTensor();
    long[] times = new long[MAX_CALLS];
    int count = 0;
    for (long start = System.nanoTime(); System.nanoTime() - start < nanos && count < MAX_CALLS;) {
      times[count++] = callEither(simple);
    }
    ByteBuffer bytes = ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.asLongBuffer().put(times, 0, count);
    Files.write(path, bytes.array());
  }

  private String throughput(long nanos, int threads) throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(threads);
    List<Future<Long>> counts = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      counts.add(callers.submit(caller(start, nanos)));
    }
    long count = 0;
    for (Future<Long> each : counts) {
      count += each.get();
    }
    long took = System.nanoTime() - start;
    callers.shutdown();
    return count + " " + took;
  }

  private Callable<Long> caller(long start, long nanos) {
    boolean simple = givesTensor();
    return () -> {
      long count = 0;
      for (; System.nanoTime() - start < nanos; count++) {
        callEither(simple);
      }
      return count;
    };
  }

  private void answer(String line) throws Exception {
    String[] words = line.split(" ", 3);
    long nanos = Long.parseLong(words[1]);
    if (words[0].equals("calls")) {
      calls(nanos, Path.of(words[2]));
      say("done");
    } else {
      say(throughput(nanos, Integer.parseInt(words[2])));
    }
  }

  private void run() throws Exception {
    StringBuilder first = new StringBuilder().append(callInScope());
    say("answered");
    for (int i = 1; i < FIRST_CALLS; i++) {
      first.append(' ').append(callInScope());
    }
    say(first.toString());
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      answer(line);
    }
  }

  private static void say(String line) {
    System.out.println("torch4j-bench " + line);
  }

  private static int tell(Throwable error) {
    System.err.println(error.toString().lines().findFirst().orElse(""));
    return 1;
  }

  private static int tryRun(String[] args) {
    Torch.setNumThreads(Integer.parseInt(args[3]));
    try (Module inputs = Module.load(args[1]); Module module = Module.load(args[0])) {
      new BenchSide(module, args[2], inputs.attribute("args").toTuple()).run();
      return 0;
    } catch (ExecutionException error) {
      return tell(error.getCause());
    } catch (Exception error) {
      return tell(error);
    }
  }

  /**
   * Answers lines until there are no more.
   *
   * @param args model, inputs, method, intra-op threads
   */
  public static void main(String[] args) {
    System.exit(tryRun(args)); // callers of a call that failed may still be running
  }
}
