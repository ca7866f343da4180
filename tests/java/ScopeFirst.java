import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.TensorScope;

/** Loads the first model of a program inside a scope. */
public class ScopeFirst {
  /** Argument: a model. */
  public static void main(String[] args) {
    Module module;
    Tensor after;
    Tensor kept;
    try (TensorScope scope = TensorScope.open()) {
      module = Module.load(args[0]);
      kept = scope.keep(Tensor.fromBlob(new float[] {1}, new long[] {1}));
      after = Tensor.fromBlob(new float[] {1}, new long[] {1});
    }
    System.out.println("module=" + module.isClosed());
    System.out.println("kept=" + kept.isClosed());
    System.out.println("after=" + after.isClosed());
  }
}
