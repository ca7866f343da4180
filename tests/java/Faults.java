import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.pytorch.Tensor;

/** Prints the most page faults that a thread meets while it makes and closes tensors of 195 KiB. */
public class Faults {
  private static final int ROUNDS = 100;
  private static final float[] SMALL = new float[10];
  private static final float[] LARGE = new float[50_000];

  private static long most;

  /** Minor faults: field 10 of stat in proc(5), the eighth after the name in parentheses. */
  private static long faults() {
    try {
      String stat = Files.readString(Path.of("/proc/thread-self/stat"));
      return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[7]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last one first: so the top of the heap is free as soon as possible. */
  private static void round(float[] data, int count) {
    Tensor[] tensors = new Tensor[count];
    for (int i = 0; i < count; i++) {
      tensors[i] = Tensor.fromBlob(data, new long[] {data.length});
    }
    for (int i = count; i-- > 0;) {
      tensors[i].close();
    }
  }

  private static void measure(int count) {
    long before = 0;
    for (int i = 0; i < 3 * ROUNDS; i++) {
      if (i == 2 * ROUNDS) {
        before = faults();
      }
      round(i < ROUNDS ? SMALL : LARGE, i < ROUNDS ? 40 : count);
    }
    most = Math.max(most, (faults() - before) / ROUNDS);
  }

  /**
   * Counts that fit 2 MiB, and not what libtorch's start makes malloc keep; several, since a small
   * block at the top hides it. Each on a thread of its own: the main one's heap is in huge pages,
   * one of which is one fault.
   */
  public static void main(String[] args) throws InterruptedException {
    for (int count = 4; count <= 10; count++) {
      int each = count;
      Thread caller = new Thread(() -> measure(each));
      caller.start();
      caller.join();
    }
    System.out.println("a round=" + most);
  }
}
