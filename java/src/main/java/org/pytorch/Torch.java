package org.pytorch;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** libtorch as a whole: versions, threads, random numbers, operator libraries. */
public final class Torch {
  private Torch() {}

  /**
   * Version of the libtorch that is loaded.
   *
   * @return for example {@code 2.13.0}
   */
  public static String version() {
    return versions()[2];
  }

  private static String[] versions() {
    NativeLibrary.load();
    return text(NativeTorch.versions()).split("\n");
  }

  /**
   * Versions, files, threads and CPU features, for a person to read.
   *
   * @return lines of {@code name: value}
   */
  public static String info() {
    String builtFor = versions()[1];
    return "torch4j: " + NativeLibrary.jarVersion() + "\nlibrary: " + NativeLibrary.loaded()
        + "\nbuilt for libtorch: " + builtFor + "\nJVM processors: "
        + Runtime.getRuntime().availableProcessors() + "\n" + text(NativeTorch.info());
  }

  /**
   * Sets the threads that one operator may use, for the whole process.
   *
   * @param threads at least 1
   * @throws IllegalArgumentException when less than 1
   */
  public static void setNumThreads(int threads) {
    checkThreads(threads);
    NativeLibrary.load();
    NativeTorch.setNumThreads(threads);
  }

  /**
   * Threads that one operator may use.
   *
   * @return at least 1
   */
  public static int getNumThreads() {
    NativeLibrary.load();
    return NativeTorch.getNumThreads();
  }

  /**
   * Sets the threads that run operators beside each other ({@code torch.jit.fork}). libtorch takes
   * this once, before such work has started; asking for what is set already is always allowed.
   *
   * @param threads at least 1
   * @throws IllegalArgumentException when less than 1
   * @throws IllegalStateException when libtorch does not take it any more
   */
  public static void setNumInteropThreads(int threads) {
    checkThreads(threads);
    if (threads != getNumInteropThreads()) {
      NativeTorch.setNumInteropThreads(threads);
    }
  }

  /**
   * Threads that run operators beside each other.
   *
   * @return at least 1
   */
  public static int getNumInteropThreads() {
    NativeLibrary.load();
    return NativeTorch.getNumInteropThreads();
  }

  /**
   * Seeds the random numbers of libtorch, as {@code torch.manual_seed}.
   *
   * @param seed any number
   */
  public static void manualSeed(long seed) {
    NativeLibrary.load();
    NativeTorch.manualSeed(seed);
  }

  /**
   * Loads a library of custom operators, as {@code torch.ops.load_library}. It must have been built
   * against the libtorch that is loaded, and stays loaded.
   *
   * @param path the shared library
   * @throws LoadException when missing or not loadable
   */
  public static void loadLibrary(Path path) {
    Path file = IValueChecks.notNull(path, "path").toAbsolutePath();
    if (!Files.isRegularFile(file)) {
      throw new LoadException("cannot load operator library '" + file + "': no such file");
    }
    NativeLibrary.load();
    NativeTorch.loadLibrary(FilePaths.bytes(file));
  }

  private static void checkThreads(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("Number of threads cannot be less than 1");
    }
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
