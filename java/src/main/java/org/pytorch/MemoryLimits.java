package org.pytorch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * How much native memory may be used: from the properties {@code torch4j.memoryLimit} and {@code
 * torch4j.cacheLimit} (bytes, or with a suffix k, m or g as -Xmx has it), else from the memory of
 * the machine or container.
 */
final class MemoryLimits {
  static final String LIMIT_PROPERTY = "torch4j.memoryLimit";
  static final String CACHE_PROPERTY = "torch4j.cacheLimit";
  private static final long MIB = 1L << 20;

  final long limit;
  /** Growth since the last reclaim that makes the next one worth a GC. */
  final long step;
  final long cache;

  MemoryLimits(long limit) {
    this.limit = limit;
    step = Math.max(64 * MIB, Math.min(limit / 8, 1024 * MIB));
    cache = setting(CACHE_PROPERTY, Math.min(limit / 16, 256 * MIB));
  }

  static MemoryLimits ofMachine() {
    return new MemoryLimits(
        setting(LIMIT_PROPERTY, byDefault(machine(), Runtime.getRuntime().maxMemory())));
  }

  /** What is left beside the largest heap that this JVM may come to, with a tenth for the rest. */
  static long byDefault(long memory, long heap) {
    return Math.max(memory / 2, memory / 10 * 9 - heap);
  }

  private static long setting(String property, long otherwise) {
    String text = System.getProperty(property, "");
    return text.isEmpty() ? otherwise : parse(property, text);
  }

  static long parse(String name, String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    int unit = lower.isEmpty() ? -1 : "kmg".indexOf(lower.charAt(lower.length() - 1));
    try {
      long number = Long.parseLong(unit < 0 ? lower : lower.substring(0, lower.length() - 1));
      if (number >= 0) {
        return Math.multiplyExact(number, 1L << (10 * (unit + 1)));
      }
    } catch (ArithmeticException | NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(
        name + " is '" + text + "': expected a number of bytes such as 500m or 2g");
  }

  /** Memory of the container where it has less, else of the machine. */
  private static long machine() {
    long memory = Math.min(
        number("/sys/fs/cgroup/memory.max"), number("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    return Math.min(memory, physical());
  }

  private static long number(String file) {
    try {
      return Long.parseLong(Files.readString(Path.of(file)).strip());
    } catch (IOException | NumberFormatException e) {
      return Long.MAX_VALUE; // not in such a container, or "max"
    }
  }

  private static long physical() {
    try {
      // "MemTotal:       24689764 kB"
      String line = Files.readAllLines(Path.of("/proc/meminfo")).get(0);
      return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
    } catch (IOException | RuntimeException e) {
      return 4096 * MIB; // no /proc: a small machine does no harm
    }
  }
}
