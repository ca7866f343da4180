import java.nio.file.Path;
import java.util.Arrays;
import org.pytorch.LoadException;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.Torch;

/** A model with a custom operator, before and after its library is loaded. */
public class Operators {
  private static String message(Runnable call) {
    try {
      call.run();
      return "no exception";
    } catch (LoadException e) {
      return e.getMessage().replace("\n", "\\n");
    }
  }

  /** Arguments: the model, the library. */
  public static void main(String[] args) {
    System.out.println("before=" + message(() -> Module.load(args[0])));
    System.out.println("missing=" + message(() -> Torch.loadLibrary(Path.of("/no/such.so"))));
    Torch.loadLibrary(Path.of(args[1]));
    try (Module module = Module.load(args[0]);
        Tensor x = Tensor.fromBlob(new float[] {1, 2}, new long[] {2})) {
      System.out.println("after=" + Arrays.toString(module.forward(x).getDataAsFloatArray()));
    }
  }
}
