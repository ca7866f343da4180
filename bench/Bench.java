import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.Torch;

/**
 * The Java side of the benchmark, and a C++ loop in the same JVM. Arguments: model, shape such as
 * 1x4, threads, calls, the library of the loop. For each line on its input it prints the
 * nanoseconds per call of one round: of the C++ loop for "cpp", else of Java.
 */
public class Bench {
  private static native void open(String path, String shape);

  private static native double loop(int calls);

  private static double nanosPerCall(Module module, Tensor input, int calls) {
    IValue argument = IValue.from(input);
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      module.forward(argument).toTensor().close();
    }
    return (System.nanoTime() - start) / (double) calls;
  }

  private static Tensor ones(long[] shape) {
    float[] data = new float[(int) Tensor.numel(shape)];
    Arrays.fill(data, 1);
    return Tensor.fromBlob(data, shape);
  }

  /** Runs rounds. */
  public static void main(String[] args) throws IOException {
    Torch.setNumThreads(Integer.parseInt(args[2]));
    long[] shape = Arrays.stream(args[1].split("x")).mapToLong(Long::parseLong).toArray();
    int calls = Integer.parseInt(args[3]);
    System.load(args[4]);
    open(args[0], args[1]);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    try (Module module = Module.load(args[0]); Tensor input = ones(shape)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        boolean cpp = line.equals("cpp");
        System.out.println(cpp ? loop(calls) : nanosPerCall(module, input, calls));
      }
    }
  }
}
