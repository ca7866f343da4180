package org.pytorch;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Reads what the kernel tells in small files, in the cheapest way: every JVM has the classes of
 * FileInputStream loaded, those of java.nio.file would take milliseconds of a cold start.
 */
final class SystemFile {
  private SystemFile() {}

  /** The first bytes as text; "" where there is no such file: nothing to conclude from. */
  static String head(String path, int bytes) {
    try (FileInputStream in = new FileInputStream(path)) {
      return new String(in.readNBytes(bytes), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
