package org.pytorch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads the libtorch that the user named before libtorch4j.so asks for one: the dynamic linker then
 * takes what is there already, by its name. Without a name libtorch4j.so reaches its own.
 */
final class LibtorchFiles {
  static final String PROPERTY = "torch4j.libtorch";
  private static final String VARIABLE = "LIBTORCH_HOME";
  // In the order in which they need each other.
  private static final List<String> FILES = List.of("libc10.so", "libtorch_cpu.so");

  private LibtorchFiles() {}

  /**
   * Loads what the user named, if anything.
   *
   * @return whether something was named
   * @throws LoadException when it is not whole or does not load
   */
  static boolean preload(List<String> tried) {
    String explicit = System.getProperty(PROPERTY);
    String source = "-D" + PROPERTY;
    if (explicit == null || explicit.isEmpty()) {
      explicit = System.getenv(VARIABLE);
      source = VARIABLE;
    }
    if (explicit == null || explicit.isEmpty()) {
      return false;
    }
    load(source, Path.of(explicit).toAbsolutePath());
    tried.add("libtorch: from " + source + "=" + explicit);
    return true;
  }

  /** What is wrong with the libtorch that this library reaches by itself, or null. */
  static String faultBeside(Path library) {
    return SharedObject.faultOfNeighbours(library, FILES);
  }

  private static void load(String source, Path home) {
    Path folder = Files.isDirectory(home.resolve("lib")) ? home.resolve("lib") : home;
    for (String file : FILES) {
      Path path = folder.resolve(file);
      if (!Files.isRegularFile(path)) {
        throw new LoadException(
            source + "=" + home + ": expected a folder with " + file + " in it or in its lib/");
      }
      String fault = SharedObject.fault(path);
      if (fault != null) {
        throw new LoadException(source + "=" + home + ": " + path + " " + fault);
      }
      try {
        System.load(path.toString());
      } catch (UnsatisfiedLinkError e) {
        throw new LoadException(source + "=" + home + ": " + path
            + " does not load: " + LoadHints.explain(NativeLibrary.reason(e)));
      }
    }
  }
}
