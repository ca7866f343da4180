package org.pytorch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds and loads libtorch4j.so and libtorch: the only place that calls System.load.
 *
 * <p>libtorch4j.so is looked for at the system property {@code torch4j.library}, the environment
 * variable {@code TORCH4J_LIBRARY} (a file or a folder; each of these is final), beside the jar,
 * and in the folders of {@code java.library.path}. libtorch is the one that libtorch4j.so reaches
 * itself
 * ({@code torch} in the same site-packages), unless the property {@code torch4j.libtorch} or {@code
 * LIBTORCH_HOME} names a folder, which is final.
 *
 * <p>Whatever makes the first native object calls {@link #load()}: modules, tensors, {@link Torch}.
 * Not static initializers: a failure in one comes out as NoClassDefFoundError from the second time
 * on.
 */
final class NativeLibrary {
  static final String FILE = "libtorch4j.so";
  private static final String HEAP_FILE = "libtorch4j_heap.so";
  private static final String LIBRARY_PROPERTY = "torch4j.library";
  private static final String LIBRARY_VARIABLE = "TORCH4J_LIBRARY";

  private static LoadException failure;
  // Volatile, so that the check before every new tensor costs next to nothing.
  private static volatile Path loaded;

  private NativeLibrary() {}

  /**
   * Loads once. A failure is remembered and thrown again as it was.
   *
   * @throws LoadException listing every place tried and why it failed
   */
  static void load() {
    if (loaded == null) {
      loadOnce();
    }
  }

  private static synchronized void loadOnce() {
    if (loaded != null) {
      return;
    }
    if (failure != null) {
      throw failure;
    }
    try {
      Path library = loadFirst();
      MemoryLimits limits = MemoryLimits.ofMachine();
      NativeTorch.limitThreads(Runtime.getRuntime().availableProcessors());
      NativeTorch.configureMemory(limits.limit, limits.step, limits.cache);
      loaded = library;
    } catch (LoadException e) {
      failure = e;
      throw e;
    }
  }

  /** The file that was loaded, or null. */
  static Path loaded() {
    return loaded;
  }

  private static Path loadFirst() {
    LoadHints.checkPlatform();
    List<String> tried = new ArrayList<>();
    List<Path> candidates = candidates(tried);
    prepareHeap(candidates);
    boolean libtorchNamed = LibtorchFiles.preload(tried);
    for (Path candidate : candidates) {
      if (!Files.isRegularFile(candidate)) {
        tried.add(candidate + ": no such file");
        continue;
      }
      String fault = SharedObject.fault(candidate);
      if (fault == null && !libtorchNamed) {
        fault = LibtorchFiles.faultBeside(candidate);
      }
      if (fault != null) {
        tried.add(candidate + ": " + fault);
        continue;
      }
      try {
        System.load(candidate.toString());
        LibraryVersions.check(candidate);
        return candidate;
      } catch (UnsatisfiedLinkError e) {
        tried.add(candidate + ": " + LoadHints.explain(reason(e)));
      } catch (IllegalCallerException e) {
        // Java 24 and later with --illegal-native-access=deny, and what later ones do by default
        // (JEP 472).
        tried.add(candidate + ": " + LoadHints.explain(e.getMessage()));
      }
    }
    throw failure(tried);
  }

  /**
   * Makes the heap of this thread ready for libtorch, before it is mapped; see native/heap. Nothing
   * depends on it but time.
   */
  private static void prepareHeap(List<Path> candidates) {
    for (Path candidate : candidates) {
      Path library = candidate.resolveSibling(HEAP_FILE);
      if (Files.isRegularFile(library) && SharedObject.fault(library) == null) {
        try {
          System.load(library.toString());
        } catch (UnsatisfiedLinkError | IllegalCallerException e) {
          // What matters of it is told when the library itself is loaded.
        }
        return;
      }
    }
  }

  private static List<Path> candidates(List<String> tried) {
    String explicit = System.getProperty(LIBRARY_PROPERTY);
    if (explicit == null || explicit.isEmpty()) {
      explicit = System.getenv(LIBRARY_VARIABLE);
    }
    if (explicit != null && !explicit.isEmpty()) {
      return List.of(inFolder(Path.of(explicit)));
    }
    List<Path> found = new ArrayList<>();
    besideJar(found, tried);
    for (String folder : System.getProperty("java.library.path", "").split(File.pathSeparator)) {
      if (!folder.isEmpty()) {
        found.add(Path.of(folder, FILE).toAbsolutePath());
      }
    }
    return found;
  }

  private static Path inFolder(Path path) {
    Path file = Files.isDirectory(path) ? path.resolve(FILE) : path;
    return file.toAbsolutePath();
  }

  private static void besideJar(List<Path> found, List<String> tried) {
    try {
      var source = NativeLibrary.class.getProtectionDomain().getCodeSource();
      if (source == null || !"file".equals(source.getLocation().getProtocol())) {
        tried.add("beside the jar: the classes do not come from a file");
        return;
      }
      Path jar = Path.of(source.getLocation().toURI());
      found.add(jar.toAbsolutePath().getParent().resolve(FILE));
    } catch (URISyntaxException | SecurityException | IllegalArgumentException e) {
      tried.add("beside the jar: " + e.getMessage());
    }
  }

  private static LoadException failure(List<String> tried) {
    return new LoadException("cannot load " + FILE + " (" + platform() + "). Tried:\n  "
        + String.join("\n  ", tried)
        + ("\nWhat to do: `pip install torch4j` and use its jar where pip put it (`torch4j "
            + "classpath`), or set")
        + " -D" + LIBRARY_PROPERTY + "=<file or folder of " + FILE
        + "> and, if libtorch is elsewhere, -D" + LibtorchFiles.PROPERTY
        + "=<folder of libtorch>. `torch4j doctor` tells what is installed.");
  }

  private static String platform() {
    return System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", Java "
        + System.getProperty("java.version");
  }

  /** The loader's text repeats the path first; what follows is the reason. */
  static String reason(UnsatisfiedLinkError e) {
    String text = String.valueOf(e.getMessage());
    int colon = text.indexOf(": ");
    return colon < 0 ? text : text.substring(colon + 2);
  }

  /**
   * Version of the jar, as its manifest says, or, where the classes were packed otherwise, the file
   * that the build puts beside them: reading that takes some milliseconds of a cold start.
   */
  static String jarVersion() {
    Package manifest = NativeLibrary.class.getPackage();
    if ("torch4j".equals(manifest.getImplementationTitle())
        && manifest.getImplementationVersion() != null) {
      return manifest.getImplementationVersion();
    }
    try (InputStream in = NativeLibrary.class.getResourceAsStream("torch4j.version")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
