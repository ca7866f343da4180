import java.util.concurrent.Callable;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;

/** Every way of failing that a user has; prints name=class: message, and "alive=yes" at the end. */
public class Failures {
  private static void fail(String name, Callable<?> call) {
    try {
      System.out.println(name + "=no exception: " + call.call());
    } catch (Throwable e) {
      System.out.println(name + "=" + e.getClass().getName() + ": " + line(e.getMessage()));
    }
  }

  private static String line(String text) {
    return text == null ? "null" : text.replace("\n", "\\n");
  }

  /** Arguments: a model that takes x: Tensor, times: float, a file that is no model, a folder. */
  public static void main(String[] args) {
    final Module module = Module.load(args[0]);
    Tensor x = Tensor.fromBlob(new float[] {1, 2}, new long[] {2});
    IValue tensor = IValue.from(x);
    fail("missing", () -> Module.load("/no/such/model.pt"));
    fail("wrong", () -> Module.load(args[1]));
    fail("folder", () -> Module.load(args[2]));
    fail("bytes", () -> Module.load(new byte[] {1, 2, 3}));
    fail("no bytes", () -> Module.load(new byte[0]));
    fail("null path", () -> Module.load((String) null));
    fail("null device", () -> Module.load(args[0], null, null));
    fail("type", () -> module.forward(IValue.from("text"), IValue.from(2.0)));
    fail("too few", () -> module.forward());
    fail("too many", () -> module.forward(tensor, IValue.from(1), IValue.from(1)));
    fail("null array", () -> module.forward((IValue[]) null));
    fail("null element", () -> module.forward(tensor, null));
    fail("null tensor", () -> module.forward((Tensor) null));
    fail("undefined", () -> module.runMethod("nope"));
    fail("null method", () -> module.runMethod(null));
    fail("operator", () -> module.forward(tensor, IValue.from(-1)));
    fail("raise", () -> module.forward(tensor, IValue.from(-2)));
    fail("surrogate", () -> module.runMethod("say", IValue.from("a\ud800")));
    fail("memory", () -> module.runMethod("allocate", IValue.from(1L << 50)));
    x.close();
    fail("closed tensor", () -> module.forward(tensor, IValue.from(1)));
    module.destroy();
    module.destroy();
    fail("closed module", () -> module.forward(tensor, IValue.from(1)));
    fail("closed schema", () -> module.schema("forward"));
    System.out.println("alive=yes");
  }
}
