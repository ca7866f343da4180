package org.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Copies that are too large for a processor's cache, of lengths and to places that are no multiple
 * of anything: the native side does head, lines and tail in different ways.
 */
class BulkCopyTest {
  private static final int BYTES = (20 << 20) + 37;
  private static final long[] SHAPE = {BYTES};
  private static final byte[] FILLED = new byte[BYTES];

  @BeforeAll
  static void fill() {
    new Random(0).nextBytes(FILLED);
  }

  private static void assertFilled(byte[] found, int offset) {
    assertEquals(-1, Arrays.mismatch(FILLED, 0, BYTES, found, offset, offset + BYTES));
    for (int i = 0; i < found.length; i++) {
      if (i == offset) {
        i += BYTES;
      }
      assertEquals(0, found[i], "a byte beside the target");
    }
  }

  private static void assertFilled(Tensor tensor) {
    byte[] found = new byte[BYTES + 1];
    tensor.copyTo(found, 0);
    assertFilled(found, 0);
  }

  @Test
  void arraysArriveWholeWhereverTheyBegin() {
    try (Tensor tensor = Tensor.fromBlob(FILLED, SHAPE)) {
      for (int offset : new int[] {1, 48}) {
        byte[] found = new byte[BYTES + 64];
        tensor.copyTo(found, offset);
        assertFilled(found, offset);
      }
    }
  }

  @Test
  void partsOfArraysArriveWhole() {
    byte[] longer = new byte[BYTES + 64];
    for (int offset : new int[] {1, 48}) {
      System.arraycopy(FILLED, 0, longer, offset, BYTES);
      try (Tensor tensor = Tensor.fromBlob(new byte[BYTES], SHAPE)) {
        tensor.copyFrom(longer, offset);
        assertFilled(tensor);
      }
    }
  }

  @Test
  void directBuffersArriveWholeWhereverTheyBegin() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES + 64).order(ByteOrder.nativeOrder());
    try (Tensor tensor = Tensor.fromBlob(FILLED, SHAPE);
        Tensor back = Tensor.fromBlob(new byte[BYTES], SHAPE)) {
      for (int offset : new int[] {3, 17}) {
        tensor.copyTo(buffer.position(offset).limit(offset + BYTES));
        back.copyFrom(buffer.position(offset).limit(offset + BYTES));
        assertFilled(back);
      }
    }
  }

  @Test
  void aBufferAndTheTensorOverItMayOverlap() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES + 64).order(ByteOrder.nativeOrder());
    buffer.put(FILLED);
    try (Tensor tensor = Tensor.fromBlob(
             buffer.position(0).limit(BYTES).slice().order(ByteOrder.nativeOrder()), SHAPE)) {
      tensor.copyTo(buffer.position(1).limit(BYTES + 1));
      byte[] found = new byte[BYTES];
      buffer.position(1).get(found);
      assertEquals(-1, Arrays.mismatch(FILLED, found));
    }
  }
}
