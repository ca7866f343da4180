import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.Torch;

/** Threads of Java, and libtorch's own. Arguments: what, and a model. */
public class Threads {
  private static void say(String name, Object value) {
    System.out.println(name + "=" + String.valueOf(value).replace("\n", "\\n"));
  }

  private static Tensor number(float value) {
    return Tensor.fromBlob(new float[] {value}, new long[] {1});
  }

  /** OpenMP's threads have the name of the thread that they work for. */
  private static long workers() throws Exception {
    long count = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path task : tasks) {
        count += Files.readString(task.resolve("comm")).strip().equals("worker4j") ? 1 : 0;
      }
    }
    return count;
  }

  /** A thread that has worked already takes a new number over, too. */
  private static void intra() throws Exception {
    say("default", Torch.getNumThreads());
    say("info", Torch.info());
    ExecutorService other = Executors.newSingleThreadExecutor(work -> new Thread(work, "worker4j"));
    Module module = Module.load(System.getProperty("model"));
    Tensor large = Tensor.fromBlob(new float[1 << 20], new long[] {1 << 20});
    Torch.setNumThreads(1);
    for (int i = 0; i < 4; i++) {
      other.submit(() -> module.forward(large)).get();
    }
    say("before", workers());
    Torch.setNumThreads(3);
    say("here", Torch.getNumThreads());
    other.submit(() -> module.forward(large)).get();
    say("after", workers());
    say("there", other.submit(Torch::getNumThreads).get());
    other.shutdown();
  }

  private static void inter() {
    Torch.setNumInteropThreads(3);
    Torch.setNumInteropThreads(3);
    say("set", Torch.getNumInteropThreads());
    try {
      Torch.setNumInteropThreads(2);
    } catch (IllegalStateException e) {
      say("again", e.getMessage());
    }
    Module module = Module.load(System.getProperty("model"));
    say("forked", module.runMethod("forked", IValue.from(number(20))).toTensor().toFloatArray()[0]);
    try {
      Torch.setNumInteropThreads(2);
    } catch (IllegalStateException e) {
      say("after work", e.getMessage());
    }
  }

  /** Each thread counts on a copy of its own. */
  private static void copies() throws Exception {
    Module module = Module.load(System.getProperty("model"));
    List<Future<Long>> last = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(4);
    for (int thread = 0; thread < 4; thread++) {
      int calls = 100 * (thread + 1);
      last.add(pool.submit(() -> {
        try (Module own = module.copy()) {
          long count = 0;
          for (int i = 0; i < calls; i++) {
            count = own.runMethod("count").toLong();
          }
          return count;
        }
      }));
    }
    for (int thread = 0; thread < 4; thread++) {
      say("thread " + thread, last.get(thread).get());
    }
    pool.shutdown();
    say("original", module.runMethod("count").toLong());
  }

  private static void grad() throws Exception {
    Module module = Module.load(System.getProperty("model"));
    String[] answer = new String[2];
    Thread thread = new Thread(() -> answer[1] = module.runMethod("grad").toString());
    answer[0] = module.runMethod("grad").toString();
    thread.start();
    thread.join();
    say("main", answer[0]);
    say("new thread", answer[1]);
  }

  /** One call in each of many virtual threads; reflection, since the class is compiled for 17. */
  private static void virtual() throws Exception {
    Module module = Module.load(System.getProperty("model"));
    ExecutorService each =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    List<Future<Float>> answers = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      float value = i;
      answers.add(each.submit(() -> {
        try (Tensor x = number(value); Tensor y = module.forward(x)) {
          return y.toFloatArray()[0];
        }
      }));
    }
    int right = 0;
    for (int i = 0; i < answers.size(); i++) {
      right += answers.get(i).get() == i + 1 ? 1 : 0;
    }
    each.shutdown();
    say("right", right);
    say("tensors", Torch.memoryStats().liveTensors());
  }

  /** The very first calls, which compile the method, all at once. */
  private static void first() throws Exception {
    int right = 0;
    for (int round = 0; round < 20; round++) {
      Module module = Module.load(System.getProperty("model"));
      ExecutorService pool = Executors.newFixedThreadPool(8);
      List<Future<Float>> answers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        float value = i;
        answers.add(pool.submit(() -> module.forward(number(value)).toFloatArray()[0]));
      }
      for (int i = 0; i < 8; i++) {
        right += answers.get(i).get() == i + 1 ? 1 : 0;
      }
      pool.shutdown();
      module.close();
    }
    say("right", right);
  }

  /** Runs one. */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "intra":
        intra();
        break;
      case "inter":
        inter();
        break;
      case "copies":
        copies();
        break;
      case "grad":
        grad();
        break;
      case "virtual":
        virtual();
        break;
      default:
        first();
    }
  }
}
