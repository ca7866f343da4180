import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;

/** From process start to the first answer. Argument: a model of shape 1x4. */
public class First {
  /** Answers once. */
  public static void main(String[] args) {
    Module module = Module.load(args[0]);
    Tensor x = Tensor.fromBlob(new float[] {1, 2, 3, 4}, new long[] {1, 4});
    System.out.println(module.forward(IValue.from(x)).toTensor().getDataAsFloatArray().length);
  }
}
