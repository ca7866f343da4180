import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.pytorch.LoadException;
import org.pytorch.Module;

/** Loads a model whose path, in a UTF-8 file, has characters that the locale may not have. */
public class Names {
  /** Argument: the file with the path. */
  public static void main(String[] args) throws java.io.IOException {
    String path = Files.readString(Path.of(args[0]), StandardCharsets.UTF_8);
    try (Module module = Module.load(path)) {
      System.out.println("loaded=" + new java.util.TreeSet<>(module.methods()));
    }
    try {
      Module.load(path + ".nope");
    } catch (LoadException e) {
      System.out.println("missing=" + e.getMessage());
    }
  }
}
