package org.pytorch;

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

  /** The first number in a file; beyond any memory where there is none: no such container. */
  private static long number(String file) {
    String text = SystemFile.head(file, 256);
    int start = 0;
    while (start < text.length() && !digit(text.charAt(start))) {
      start++;
    }
    int end = start;
    while (end < text.length() && digit(text.charAt(end))) {
      end++;
    }
    try {
      return Long.parseLong(text.substring(start, end));
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE; // "max"
    }
  }

  private static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  private static long physical() {
    long kib = number("/proc/meminfo"); // "MemTotal:       24689764 kB"
    return kib > Long.MAX_VALUE >> 10 ? 4096 * MIB : kib << 10; // no /proc: a small machine
  }
}
