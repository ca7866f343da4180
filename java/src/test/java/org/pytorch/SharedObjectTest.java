package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries that are whole, and that are not. */
class SharedObjectTest {
  @TempDir private Path folder;

  private Path elf(int size, int sectionsAt, int sections) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0, 0x464c457f).putLong(40, sectionsAt);
    bytes.putShort(58, (short) 64).putShort(60, (short) sections);
    return Files.write(folder.resolve("x.so"), bytes.array());
  }

  @Test
  void theLastByteCounts() throws IOException {
    assertEquals(null, SharedObject.fault(elf(328, 200, 2)));
    assertTrue(
        SharedObject.fault(elf(327, 200, 2)).startsWith("is cut off: it has 327 bytes of 328"));
  }

  @Test
  void otherFilesAreTold() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "no library");
    assertEquals("not a shared library (no ELF header)", SharedObject.fault(text));
    assertTrue(SharedObject.fault(folder.resolve("none")).startsWith("cannot be read"));
  }
}
