package org.pytorch;

import java.io.File;
import java.util.Map;

/** What to do about a library that does not load. */
final class LoadHints {
  /** By a part of what the dynamic linker or the JVM says. */
  private static final Map<String, String> HINTS = Map.of("cannot open shared object file",
      "libtorch4j.so cannot reach libtorch: install torch into the same site-packages, or name its"
          + " folder with -D" + LibtorchFiles.PROPERTY + " or LIBTORCH_HOME",
      "already loaded in another classloader",
      "one JVM loads a native library for one class loader only: put torch4j.jar where a class "
          + "loader"
          + " that both share finds it",
      "failed to map segment", "its folder is mounted noexec: move it to another folder",
      "undefined symbol", "this libtorch is not the version that libtorch4j.so was built for",
      "GLIBC", "the C library of this system is too old for libtorch", "native access",
      "start Java with --enable-native-access=ALL-UNNAMED (on the module path:"
          + " --enable-native-access=org.pytorch)");

  private LoadHints() {}

  /** The reason, and what to do where that is known. */
  static String explain(String reason) {
    for (Map.Entry<String, String> hint : HINTS.entrySet()) {
      if (reason.contains(hint.getKey())) {
        return reason + " (" + hint.getValue() + ")";
      }
    }
    return reason;
  }

  /**
   * Checks system, processor and C library before any library is touched.
   *
   * @throws LoadException when libtorch cannot run here
   */
  static void checkPlatform() {
    check(System.getProperty("os.name"), System.getProperty("os.arch"), maps(), features());
  }

  static void check(String system, String processor, String maps, String features) {
    if (!"Linux".equals(system) || !"amd64".equals(processor)) {
      throw new LoadException(
          "torch4j runs on Linux x86-64 only; this JVM is for " + system + " " + processor);
    }
    if (maps.contains("/ld-musl-")) {
      throw new LoadException("this JVM runs on musl (Alpine), and libtorch needs glibc: use an "
          + "image with glibc, such as"
          + " Debian's");
    }
    if (!features.isEmpty() && !features.contains(" sse4_1 ")) {
      throw new LoadException("this processor lacks SSE4.1, which libtorch needs: an illegal "
          + "instruction would end the JVM");
    }
  }

  /**
   * The line of processor features, empty when there is none to be had. oneDNN inside libtorch
   * needs SSE4.1 at least (its documentation, "CPU dispatcher control"); what is faster it looks
   * for itself.
   */
  private static String features() {
    // The first processor stands for all; on a large machine the whole file takes milliseconds.
    String text = SystemFile.head("/proc/cpuinfo", 1 << 14);
    int start = text.indexOf("\nflags") + 1;
    int end = text.indexOf('\n', start);
    return start == 0 || end < 0 ? "" : text.substring(start, end) + " ";
  }

  /** What is mapped, where it may matter: a JVM on musl was started by musl's linker. */
  private static String maps() {
    boolean here = new File("/lib/ld-musl-x86_64.so.1").exists();
    return here ? SystemFile.head("/proc/self/maps", 1 << 20) : "";
  }
}
