package org.pytorch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Looks whether a native library is whole before the dynamic linker maps it: one that was cut off,
 * by a full disk or a broken copy, maps without complaint and ends the process with SIGBUS when a
 * missing page is touched.
 */
final class SharedObject {
  // Offsets in the header of a 64-bit ELF file (System V ABI, chapter 4).
  private static final int HEADER = 64;
  private static final int MAGIC = 0x464c457f;
  private static final int SECTIONS_START = 40;
  private static final int SECTION_SIZE = 58;
  private static final int SECTION_COUNT = 60;

  private SharedObject() {}

  /** What is wrong with the file, or null. */
  static String fault(Path file) {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
      while (header.hasRemaining() && channel.read(header) >= 0) {
        // until it is full or the file ends
      }
      if (header.hasRemaining() || header.getInt(0) != MAGIC) {
        return "not a shared library (no ELF header)";
      }
      return cutOff(header, channel.size());
    } catch (IOException e) {
      return "cannot be read: " + e.getMessage();
    }
  }

  /** The section headers stand last: what has them has everything before them. */
  private static String cutOff(ByteBuffer header, long size) {
    long end = header.getLong(SECTIONS_START)
        + (header.getShort(SECTION_SIZE) & 0xffffL) * (header.getShort(SECTION_COUNT) & 0xffffL);
    if (size >= end) {
      return null;
    }
    return "is cut off: it has " + size + " bytes of " + end + "; install it again";
  }

  /** What is wrong with the libtorch that a wheel's libtorch4j.so reaches by itself, or null. */
  static String faultOfNeighbours(Path library, List<String> names) {
    Path folder = library.resolveSibling("../../torch/lib").normalize();
    for (String name : names) {
      Path file = folder.resolve(name);
      String fault = Files.isRegularFile(file) ? fault(file) : null;
      if (fault != null) {
        return file + " " + fault;
      }
    }
    return null;
  }
}
