import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;

/**
 * Threads in forward while another closes and reloads the module all the time: each answer is right
 * to the bit or the module was closed. Arguments: a scripted Linear(4, 2), threads, seconds.
 */
public class StressReload {
  private static final AtomicLong RIGHT = new AtomicLong();
  private static final AtomicLong CLOSED = new AtomicLong();
  private static final AtomicLong WRONG = new AtomicLong();
  private static volatile Module module;
  private static volatile boolean ended;

  private static float[] answer(Module module, boolean close) {
    Tensor x = Tensor.fromBlob(new float[] {1, 2, 3, 4}, new long[] {1, 4});
    Tensor y = module.forward(IValue.from(x)).toTensor();
    float[] answer = y.getDataAsFloatArray();
    if (close) {
      x.close();
      y.close();
    }
    return answer;
  }

  private static void call(float[] expected, boolean close) {
    while (!ended) {
      try {
        boolean right = Arrays.equals(expected, answer(module, close));
        (right ? RIGHT : WRONG).incrementAndGet();
      } catch (IllegalStateException e) {
        CLOSED.incrementAndGet();
      } catch (RuntimeException | Error e) {
        e.printStackTrace();
        WRONG.incrementAndGet();
      }
    }
  }

  /** Runs until the time is over. */
  public static void main(String[] args) throws InterruptedException {
    module = Module.load(args[0]);
    float[] expected = answer(module, true);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      boolean close = i % 2 == 0;
      threads.add(new Thread(() -> call(expected, close)));
      threads.get(i).start();
    }
    long reloads = 0;
    long end = System.nanoTime() + 1_000_000_000L * Integer.parseInt(args[2]);
    while (System.nanoTime() < end) {
      Module old = module;
      if (reloads % 2 == 0) {
        old.close(); // under the feet of those who hold it
        module = Module.load(args[0]);
      } else {
        module = Module.load(args[0]); // the old one is left to the GC
      }
      reloads++;
    }
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(
        "right=" + RIGHT + "\nclosed=" + CLOSED + "\nwrong=" + WRONG + "\nreloads=" + reloads);
  }
}
