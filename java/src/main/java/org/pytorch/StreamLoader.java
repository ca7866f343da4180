package org.pytorch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Loads modules from streams: small ones through memory, others through a temporary file. */
final class StreamLoader {
  private static final int IN_MEMORY = 64 << 20;

  private StreamLoader() {}

  static Module load(InputStream in, LoadOptions options) {
    try {
      byte[] start = in.readNBytes(IN_MEMORY);
      return start.length < IN_MEMORY ? Module.load(start, options)
                                      : throughFile(start, in, options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Module throughFile(byte[] start, InputStream in, LoadOptions options)
      throws IOException {
    Path file = Files.createTempFile("torch4j-", ".pt");
    try {
      try (OutputStream out = Files.newOutputStream(file)) {
        out.write(start);
        in.transferTo(out);
      }
      return ModuleLoader.fromPassingFile(file, options);
    } finally {
      Files.delete(file);
    }
  }
}
