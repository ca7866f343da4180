package org.pytorch;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

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
   * Sets the threads that one operator may use, for the whole process: other threads take it over
   * at their next call. By default they are as many as the JVM has processors, or fewer where
   * libtorch (OMP_NUM_THREADS) was told so.
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

  /**
   * Native memory in use. Cheap enough to call once a second.
   *
   * @return the figures of this moment
   */
  public static MemoryStats memoryStats() {
    NativeLibrary.load();
    return MemoryStats.now();
  }

  /**
   * Sets how much native memory may be held. An allocation beyond it first closes what became
   * unreachable (with a garbage collection), then fails with OutOfMemoryError. The property {@code
   * torch4j.memoryLimit} sets it from the start; by default it is what the machine or container has
   * beside the Java heap, less a tenth, and half of it at least.
   *
   * @param bytes at least 1
   * @throws IllegalArgumentException when less than 1
   */
  public static void setMemoryLimit(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be at least 1, got " + bytes);
    }
    NativeLibrary.load();
    MemoryLimits limits = new MemoryLimits(bytes);
    NativeTorch.configureMemory(limits.limit, limits.step, limits.cache);
  }

  /**
   * Gives memory back that was freed and kept for reuse: what torch4j kept, and whole free pages of
   * the C library's malloc, some 5 ms for 100 MB. The property {@code torch4j.cacheLimit} bounds
   * what torch4j keeps; 0 switches it off.
   */
  public static void releaseMemoryCache() {
    NativeLibrary.load();
    NativeTorch.releaseCache();
  }

  /**
   * Registers {@link TorchMemoryMXBean} with the platform's JMX server. Does nothing when it is
   * registered already.
   */
  public static void registerMemoryBean() {
    NativeLibrary.load();
    MemoryBean.register();
  }

  /**
   * What was left to the GC, with {@code -Dtorch4j.traceHandles=true}: for each place that made
   * such objects how many, the most first. Empty without that property.
   *
   * @return stack traces as text, and counts
   */
  public static Map<String, Long> unclosed() {
    return TracedHandle.left()
        .entrySet()
        .stream()
        .sorted((one, other) -> Long.compare(other.getValue().get(), one.getValue().get()))
        .collect(Collectors.toMap(Map.Entry::getKey,
            entry -> entry.getValue().get(), (one, other) -> one, LinkedHashMap::new));
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
