package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Platforms on which nothing can be loaded, and hints for those on which something is wrong. */
class LoadHintsTest {
  private static String refused(String system, String processor, String maps) {
    return assertThrows(LoadException.class, () -> LoadHints.check(system, processor, maps, ""))
        .getMessage();
  }

  @Test
  void otherPlatformsAreRefusedBeforeAnySymbolIsBound() {
    assertTrue(refused("Mac OS X", "aarch64", "").endsWith("this JVM is for Mac OS X aarch64"));
    assertTrue(refused("Linux", "aarch64", "").contains("Linux x86-64 only"));
    assertTrue(refused("Linux", "amd64", "7f00 /lib/ld-musl-x86_64.so.1").contains("glibc"));
    LoadHints.check("Linux", "amd64", "7f00 /lib64/ld-linux-x86-64.so.2", "flags : fpu sse4_1 ");
  }

  @Test
  void anOldProcessorIsRefused() {
    LoadException e = assertThrows(
        LoadException.class, () -> LoadHints.check("Linux", "amd64", "", "flags : fpu sse2 "));
    assertTrue(e.getMessage().contains("lacks SSE4.1"));
  }

  @Test
  void hintsAddToTheReason() {
    assertEquals("no idea", LoadHints.explain("no idea"));
    assertTrue(LoadHints.explain("x.so: undefined symbol: y").endsWith("was built for)"));
  }
}
