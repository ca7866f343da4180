import java.util.concurrent.locks.LockSupport;
import org.pytorch.Module;

/** Ends while libtorch is being mapped. Arguments: a model, returns or exits, milliseconds. */
public class EarlyEnd {
  /** Begins to load on a thread that nobody waits for. */
  public static void main(String[] args) {
    Thread loading = new Thread(() -> Module.load(args[0]));
    loading.setDaemon(true);
    loading.start();
    long end = System.nanoTime() + Long.parseLong(args[2]) * 1_000_000;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    if (args[1].equals("exits")) {
      System.exit(0);
    }
  }
}
