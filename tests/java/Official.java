import java.util.Arrays;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;

/** Only the official API: what a program written for the official bindings looks like. */
public class Official {
  /** Argument: a model that takes x: Tensor, times: float. */
  public static void main(String[] args) {
    Module module = Module.load(args[0]);
    Tensor data = Tensor.fromBlob(new int[] {1, 2, 3, 4, 5, 6}, new long[] {2, 3});
    IValue result = module.forward(IValue.from(data), IValue.from(2.0));
    Tensor output = result.toTensor();
    System.out.println("shape=" + Arrays.toString(output.shape()));
    System.out.println("data=" + Arrays.toString(output.getDataAsFloatArray()));
  }
}
