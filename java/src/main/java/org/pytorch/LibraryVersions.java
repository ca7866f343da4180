package org.pytorch;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Compares the versions of jar, JNI library and libtorch before any of them is used. */
final class LibraryVersions {
  private static final String BYPASS = "torch4j.ignoreVersions";

  private LibraryVersions() {}

  static void check(Path library) {
    if (Boolean.getBoolean(BYPASS)) {
      return;
    }
    // torch4j, libtorch when torch4j was built, libtorch now.
    String[] versions = new String(NativeTorch.versions(), StandardCharsets.UTF_8).split("\n");
    if (!versions[0].equals(NativeLibrary.jarVersion())) {
      throw new LoadException(library + " is torch4j " + versions[0] + ", the jar is "
          + NativeLibrary.jarVersion() + ": use the two from one install (or -D" + BYPASS
          + "=true at your own risk)");
    }
    // C++ has no stable ABI between minor versions of libtorch.
    if (!minor(versions[1]).equals(minor(versions[2]))) {
      throw new LoadException(library + " was built for libtorch " + versions[1]
          + ", the libtorch that was loaded is " + versions[2] + ": install torch "
          + minor(versions[1]) + ".x, or build torch4j again with the installed one (-D" + BYPASS
          + "=true tries nevertheless)");
    }
  }

  private static String minor(String version) {
    String[] parts = version.split("\\.");
    return parts.length < 2 ? version : parts[0] + "." + parts[1];
  }
}
