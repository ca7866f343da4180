package org.pytorch;

import java.nio.file.Path;

/** Paths as the bytes that the file system wants. */
final class FilePaths {
  private FilePaths() {}

  /**
   * UTF-8 bytes of a path. Java's own encoding of file names follows the locale, so that under
   * LC_ALL=C a Path may hold other characters than the user meant; its URI carries the raw bytes.
   */
  static byte[] bytes(Path path) {
    String raw = path.toUri().getRawPath();
    byte[] bytes = new byte[raw.length()];
    int size = 0;
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes[size++] = (byte) Integer.parseInt(raw.substring(i + 1, i + 3), 16);
        i += 2;
      } else {
        bytes[size++] = (byte) c;
      }
    }
    return java.util.Arrays.copyOf(bytes, size);
  }
}
