import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;

/** A tensor of more than 2^31-1 bytes: what cannot hold it says so, and it is read in parts. */
public class Large {
  private static String message(Runnable call) {
    try {
      call.run();
      return "no exception";
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
  }

  /** Argument: a model that gives uint8 of so many elements, of which the last is 7. */
  public static void main(String[] args) {
    long size = (1L << 31) + 16;
    try (Module module = Module.load(args[0]);
        Tensor large = module.forward(IValue.from(size)).toTensor();
        Tensor end = large.narrow(0, size - 2, 2)) {
      System.out.println("numel=" + large.numel() + "\nnbytes=" + large.nbytes());
      System.out.println("array=" + message(large::toByteArray));
      System.out.println("official=" + message(large::getDataAsUnsignedByteArray));
      System.out.println("buffer=" + message(large::asByteBuffer));
      System.out.println("text=" + large.toString().startsWith("Tensor([2147483664], dtype"));
      System.out.println("last=" + end.toByteArray()[1] + "\nview=" + end.asByteBuffer().get(1));
    }
  }
}
