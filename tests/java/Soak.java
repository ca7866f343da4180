import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.TensorScope;
import org.pytorch.Torch;
import org.pytorch.TorchException;

/**
 * Does one thing so many times and prints after each hundredth part how many calls were made, what
 * the process holds in memory, and what torch4j counts. Arguments: way, model, calls.
 */
public class Soak {
  private static final int SAMPLES = 100;

  private interface Call {
    void run(int index) throws Exception;
  }

  private final Path path;
  private final Module module;

  private Soak(Path path) {
    this.path = path;
    this.module = Module.load(path);
  }

  private static long residentKib() throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IllegalStateException("no VmRSS in /proc/self/status");
  }

  private static final float[] FEW = {1, 2, 3, 4};

  private static Tensor few() {
    return Tensor.fromBlob(FEW, new long[] {1, 4});
  }

  /** 1 MB: ten models of this kind would fill the heap in no time if they lay there. */
  private static final Tensor LARGE = Tensor.fromBlob(new float[1 << 18], new long[] {1, 1 << 18});

  private static void right(Tensor output) {
    try (Tensor element = output.narrow(1, 5, 1)) { // a view that would hold the whole megabyte
      if (output.numel() != 1 << 18 || element.toFloatArray()[0] != 1) {
        throw new IllegalStateException("wrong answer: " + output);
      }
    }
  }

  private void forwardLeft(int index) {
    Tensor output = module.forward(LARGE);
    if (index % 1000 == 0) {
      right(output);
    }
  }

  private void forwardClosed(int index) {
    try (Tensor output = module.forward(LARGE)) {
      if (index % 1000 == 0) {
        right(output);
      }
    }
  }

  @SuppressWarnings("try") // the scope is there to be closed
  private void forwardScoped(int index) {
    try (TensorScope scope = TensorScope.open()) {
      forwardLeft(index);
    }
  }

  private void forwardThrows(int index) {
    try {
      module.forward(IValue.from(few()), IValue.from(index % 2 == 0 ? "wrong type" : "more"));
    } catch (TorchException e) {
      return;
    }
    throw new IllegalStateException("did not throw");
  }

  /** The model gives any value back inside a tuple, dict and list. */
  private void kinds(int index) {
    Tensor tensor = few();
    IValue text = IValue.from("text €" + index);
    IValue result = module.forward(IValue.from(tensor), text, IValue.listFrom(1L, 2L, index),
        IValue.dictStringKeyFrom(Map.of("a", IValue.from(few()))));
    IValue[] parts = result.toTuple();
    if (!parts[1].equals(text) || parts[2].toLongList()[2] != index
        || parts[3].toDictStringKey().get("a").toTensor().numel() != 4) {
      throw new IllegalStateException("wrong answer: " + result);
    }
  }

  private void reload(int index) {
    try (Module loaded = Module.load(path); Tensor x = few(); Tensor y = loaded.forward(x)) {
      if (y.numel() != 2) {
        throw new IllegalStateException("wrong answer: " + y);
      }
    }
  }

  private void reloadLeft(int index) {
    Module.load(path).forward(few());
  }

  /** 720 sizes of picture. */
  private void sizes(int index) {
    int width = 16 + index % 720;
    try (Tensor x = Tensor.fromBlob(new float[3 * 32 * width], new long[] {1, 3, 32, width});
        Tensor y = module.forward(x)) {
      if (y.shape()[3] != width - 2) {
        throw new IllegalStateException("wrong answer: " + Arrays.toString(y.shape()));
      }
    }
  }

  /** Large enough that libtorch starts its own threads for it. */
  private void threads(int index) throws InterruptedException {
    Thread thread = new Thread(() -> forwardClosed(index));
    thread.start();
    thread.join();
  }

  private void directBuffers(int index) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20).order(ByteOrder.nativeOrder());
    bytes.asFloatBuffer().put(5, index);
    Tensor output = module.forward(Tensor.fromBlob(bytes.asFloatBuffer(), new long[] {1, 1 << 18}));
    if (output.narrow(1, 5, 1).toFloatArray()[0] != index + 1) {
      throw new IllegalStateException("wrong answer: " + output);
    }
  }

  private Call call(String way) {
    switch (way) {
      case "left":
        return this::forwardLeft;
      case "closed":
        return this::forwardClosed;
      case "scoped":
        return this::forwardScoped;
      case "throws":
        return this::forwardThrows;
      case "kinds":
        return this::kinds;
      case "reload":
        return this::reload;
      case "reload-left":
        return this::reloadLeft;
      case "sizes":
        return this::sizes;
      case "threads":
        return this::threads;
      case "buffers":
        return this::directBuffers;
      default:
        throw new IllegalArgumentException("no way " + way);
    }
  }

  /** Prints lines of calls, resident KiB, counted bytes. */
  public static void main(String[] args) throws Exception {
    int calls = Integer.parseInt(args[2]);
    Call call = new Soak(Path.of(args[1])).call(args[0]);
    int step = Math.max(1, calls / SAMPLES);
    for (int i = 0; i < calls; i++) {
      call.run(i);
      if ((i + 1) % step == 0) {
        long bytes = Torch.memoryStats().bytes();
        System.out.println((i + 1) + " " + residentKib() + " " + bytes);
      }
    }
    System.out.println("# " + Torch.memoryStats());
  }
}
