import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;

/** Loads, runs, copies and closes a deeply nested model on threads with small stacks. */
public class Deep {
  private static String run(Module module, int calls) {
    StringBuilder text = new StringBuilder();
    try (Tensor x = Tensor.fromBlob(new float[] {1}, new long[] {1})) {
      for (int i = 0; i < calls; i++) {
        Tensor y = module.forward(IValue.from(x)).toTensor();
        text.append(i == 0 ? "" : " ").append(y.getDataAsFloatArray()[0]);
      }
    }
    return text.toString();
  }

  /** Argument: the model. */
  public static void main(String[] args) throws InterruptedException {
    Module module = Module.load(args[0]);
    System.out.println("main=" + run(module, 5));
    Thread thread = new Thread(() -> {
      System.out.println("thread=" + run(module, 1));
      try (Module copy = module.copy()) {
        module.close();
        System.out.println("copy=" + run(copy, 1));
      }
    });
    thread.start();
    thread.join();
  }
}
