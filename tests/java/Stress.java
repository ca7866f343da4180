import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;

/** Threads in forward while the module is closed under them, round after round. */
public class Stress {
  private static final AtomicLong RIGHT = new AtomicLong();
  private static final AtomicLong CLOSED = new AtomicLong();
  private static final AtomicLong WRONG = new AtomicLong();

  private static void call(Module module, float[] expected) {
    while (true) {
      try (Tensor x = Tensor.fromBlob(new float[] {1, 2, 3, 4}, new long[] {1, 4});
          Tensor y = module.forward(IValue.from(x)).toTensor()) {
        boolean right = Arrays.equals(expected, y.getDataAsFloatArray());
        (right ? RIGHT : WRONG).incrementAndGet();
      } catch (IllegalStateException e) {
        CLOSED.incrementAndGet();
        return;
      }
    }
  }

  private static float[] once(Module module) {
    try (Tensor x = Tensor.fromBlob(new float[] {1, 2, 3, 4}, new long[] {1, 4})) {
      return module.forward(x).getDataAsFloatArray();
    }
  }

  /** Arguments: a scripted Linear(4, 2), threads, rounds. */
  public static void main(String[] args) throws InterruptedException {
    for (int round = 0; round < Integer.parseInt(args[2]); round++) {
      Module module = Module.load(args[0]);
      final float[] expected = once(module);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < Integer.parseInt(args[1]); i++) {
        threads.add(new Thread(() -> call(module, expected)));
        threads.get(i).start();
      }
      long target = RIGHT.get() + 50;
      while (RIGHT.get() < target) {
        Thread.onSpinWait();
      }
      module.close();
      for (Thread thread : threads) {
        thread.join();
      }
      Module.load(args[0]); // left to the GC
    }
    System.out.println("right=" + RIGHT + "\nclosed=" + CLOSED + "\nwrong=" + WRONG);
  }
}
