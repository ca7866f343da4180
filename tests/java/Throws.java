import org.pytorch.Torch;
import org.pytorch.TorchException;

/** Calls a native method that throws every kind of C++ exception. */
public class Throws {
  private static native void throwKind(int kind);

  /** Arguments: the library, the number of kinds. */
  public static void main(String[] args) {
    Torch.version(); // libtorch is in the process before the library that needs it
    System.load(args[0]);
    for (int kind = 0; kind < Integer.parseInt(args[1]); kind++) {
      try {
        throwKind(kind);
        System.out.println(kind + "=no exception");
      } catch (Throwable e) {
        String trace = e instanceof TorchException ? ((TorchException) e).nativeTrace() : "";
        System.out.println(kind + "=" + e + " | " + trace.split("\n")[0]);
      }
    }
  }
}
