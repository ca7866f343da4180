import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.pytorch.IValue;
import org.pytorch.LoadOptions;
import org.pytorch.ModelFile;
import org.pytorch.Module;
import org.pytorch.Tensor;

/**
 * Changed archives and wrong calls, at random from a seed. Prints each try before it is made, so
 * that the last line of a dead JVM tells what killed it, and the counts at the end.
 */
public class Fuzz {
  private final Random random;
  private final Path model;
  private final byte[] whole;
  private final String expected;
  private int exceptions;
  private int harmless;
  private int silent;
  private int emptyMessages;

  private Fuzz(long seed, Path model) throws Exception {
    random = new Random(seed);
    this.model = model;
    whole = Files.readAllBytes(model);
    expected = weights(whole);
  }

  private static String weights(byte[] data) {
    StringBuilder text = new StringBuilder();
    try (Module module = Module.load(data)) {
      module.parameters().forEach((name, tensor) -> {
        text.append(name).append(Arrays.hashCode(tensor.toByteArray()));
        tensor.close();
      });
      try (Tensor x = Tensor.fromBlob(new float[4], new long[] {1, 4})) {
        text.append(Arrays.toString(module.forward(x).getDataAsFloatArray()));
      }
    }
    return text.toString();
  }

  private void told(Throwable e) {
    exceptions++;
    if (e.getMessage() == null || e.getMessage().isBlank()) {
      emptyMessages++;
      System.out.println(
          "empty message: " + e + " at " + e.getStackTrace()[1] + " " + e.getStackTrace()[2]);
    }
  }

  private byte[] changed() throws Exception {
    byte[] data = whole.clone();
    switch (random.nextInt(4)) {
      case 0:
        for (int i = random.nextInt(3); i >= 0; i--) {
          data[random.nextInt(data.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return data;
      case 1:
        return Arrays.copyOf(data, random.nextInt(data.length));
      case 2:
        int at = random.nextInt(data.length - 16);
        byte[] noise = new byte[16];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, data, at, 16);
        return data;
      default:
        return FuzzArchive.changed(model, random);
    }
  }

  private void archives(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      byte[] data = changed();
      System.out.println("archive " + i + " of " + data.length + " bytes");
      try {
        if (weights(data).equals(expected)) {
          harmless++; // the change lay between the members
        } else {
          silent++;
          System.out.println("silent change");
        }
      } catch (RuntimeException | OutOfMemoryError e) {
        told(e);
      }
    }
  }

  private void calls(int count) throws Exception {
    FuzzValues values = new FuzzValues(random, model);
    List<Method> methods = new ArrayList<>();
    for (Class<?> type :
        List.of(Module.class, Tensor.class, IValue.class, ModelFile.class, LoadOptions.class)) {
      for (Method method : type.getMethods()) {
        boolean blocking = method.getDeclaringClass() == Object.class;
        if (!blocking) {
          methods.add(method);
        }
      }
    }
    for (int i = 0; i < count; i++) {
      Method method = methods.get(random.nextInt(methods.size()));
      Object target =
          Modifier.isStatic(method.getModifiers()) ? null : values.of(method.getDeclaringClass());
      Object[] args = Arrays.stream(method.getParameterTypes()).map(values::of).toArray();
      System.out.println(
          "call " + i + " " + method.getName() + Arrays.toString(method.getParameterTypes()));
      try {
        if (method.getDeclaringClass().getSimpleName().equals("TensorFactories")) {
          method = Tensor.class.getMethod(method.getName(), method.getParameterTypes());
          method.setAccessible(true);
        }
        Object result = method.invoke(target, args);
        if (result instanceof AutoCloseable && target != result) {
          ((AutoCloseable) result).close();
        }
        harmless++;
      } catch (InvocationTargetException e) {
        told(e.getCause());
      } catch (NullPointerException e) {
        harmless++; // reflection itself: no target
      }
    }
  }

  /** Arguments: seed, model, changed archives, wrong calls. */
  public static void main(String[] args) throws Exception {
    Path model = Path.of(args[1]);
    Fuzz fuzz = new Fuzz(Long.parseLong(args[0]), model);
    fuzz.archives(Integer.parseInt(args[2]));
    fuzz.calls(Integer.parseInt(args[3]));
    System.out.println("exceptions=" + fuzz.exceptions + "\nharmless=" + fuzz.harmless
        + "\nsilent=" + fuzz.silent + "\nempty=" + fuzz.emptyMessages);
  }
}
