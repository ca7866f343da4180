import org.pytorch.DType;
import org.pytorch.Tensor;
import org.pytorch.Torch;

/** Touches the native side twice where it cannot be loaded. */
public class LoadTwice {
  private static String message(Runnable call) {
    try {
      call.run();
      return "loaded";
    } catch (ExceptionInInitializerError e) {
      return String.valueOf(e.getCause()).replace("\n", "\\n");
    } catch (RuntimeException | NoClassDefFoundError e) {
      return String.valueOf(e).replace("\n", "\\n");
    }
  }

  /** No arguments. */
  public static void main(String[] args) {
    System.out.println("dtype=" + DType.FLOAT32.itemSize());
    System.out.println("first=" + message(() -> Tensor.fromBlob(new int[1], new long[] {1})));
    System.out.println("again=" + message(() -> Tensor.fromBlob(new int[1], new long[] {1})));
    System.out.println("torch=" + message(Torch::version));
  }
}
