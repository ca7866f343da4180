import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.pytorch.Module;

/** What the process has mapped once a model is loaded: the heap library, and KiB of huge pages. */
public class Heap {
  /** Argument: a model. */
  public static void main(String[] args) throws IOException {
    try (Module module = Module.load(args[0])) {
      String maps = Files.readString(Path.of("/proc/self/maps"));
      System.out.println("methods=" + module.methods());
      System.out.println("mapped=" + maps.contains("libtorch4j_heap.so"));
      for (String line : Files.readAllLines(Path.of("/proc/self/smaps_rollup"))) {
        if (line.startsWith("AnonHugePages:")) {
          System.out.println("huge=" + line.replaceAll("[^0-9]", ""));
        }
      }
    }
  }
}
