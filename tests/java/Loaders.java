import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** The jar in two class loaders. */
public class Loaders {
  private static String load(URL jar, String model) throws Exception {
    ClassLoader loader = new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
    Class<?> module = loader.loadClass("org.pytorch.Module");
    try {
      module.getMethod("load", String.class).invoke(null, model);
      return "loaded";
    } catch (java.lang.reflect.InvocationTargetException e) {
      return String.valueOf(e.getCause()).replace("\n", "\\n");
    }
  }

  /** Arguments: the jar, a model. */
  public static void main(String[] args) throws Exception {
    URL jar = Path.of(args[0]).toUri().toURL();
    System.out.println("first=" + load(jar, args[1]));
    System.out.println("second=" + load(jar, args[1]));
  }
}
