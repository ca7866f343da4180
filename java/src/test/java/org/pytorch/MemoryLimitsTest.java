package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Where the limits come from. */
class MemoryLimitsTest {
  private static final long GIB = 1L << 30;

  @Test
  void sizesAreReadAsTheJvmReadsThem() {
    assertEquals(500, MemoryLimits.parse("x", "500"));
    assertEquals(500 << 10, MemoryLimits.parse("x", "500k"));
    assertEquals(500 << 20, MemoryLimits.parse("x", " 500M "));
    assertEquals(2 * GIB, MemoryLimits.parse("x", "2g"));
    assertThrows(IllegalArgumentException.class, () -> MemoryLimits.parse("x", ""));
    assertThrows(IllegalArgumentException.class, () -> MemoryLimits.parse("x", "2t"));
  }

  @Test
  void theHeapIsLeftOut() {
    assertEquals(20 * GIB / 10 * 9 - 4 * GIB, MemoryLimits.byDefault(20 * GIB, 4 * GIB));
    assertEquals(GIB, MemoryLimits.byDefault(2 * GIB, 2 * GIB));
  }

  @Test
  void stepsFollowTheLimit() {
    assertEquals(GIB, new MemoryLimits(16 * GIB).step);
    assertEquals(GIB / 8, new MemoryLimits(GIB).step);
    assertEquals(64 << 20, new MemoryLimits(GIB / 10).step);
    assertEquals(256 << 20, new MemoryLimits(16 * GIB).cache);
  }
}
