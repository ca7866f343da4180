import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.Torch;

/** The first class touched is the one that the argument names. */
public class Entry {
  /** Arguments: tensor, torch, module or ivalue; a model. */
  public static void main(String[] args) {
    switch (args[0]) {
      case "tensor":
        Tensor.fromBlob(new int[1], new long[] {1}).close();
        break;
      case "torch":
        Torch.getNumThreads();
        break;
      case "module":
        Module.load(args[1]).close();
        break;
      default:
        IValue.listFrom(1L, 2L);
        IValue.from(Tensor.fromBlob(new byte[1], new long[0])).toTensor().close();
    }
    System.out.println("ok=" + args[0]);
  }
}
