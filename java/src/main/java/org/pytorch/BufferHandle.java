package org.pytorch;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A handle of a tensor over a direct buffer of the user.
 *
 * <p>When such a tensor is left to the GC, its buffer takes two collections: the first finds the
 * tensor, whose end lets go of the buffer, the second finds the buffer. {@code
 * ByteBuffer.allocateDirect} gives up after one. So once enough of them hang in between, the second
 * one is asked for here.
 */
final class BufferHandle extends NativeHandle {
  private static final long LEAST = 16L << 20;

  /** Bytes of buffers that were let go of since the last collection asked for here. */
  private static final AtomicLong RELEASED = new AtomicLong();

  private final long bytes;

  BufferHandle(Object owner, long address, long bytes) {
    super(owner, Kind.TENSOR, address);
    this.bytes = bytes;
  }

  @Override
  void leftToGc() {
    RELEASED.addAndGet(bytes);
  }

  /** Asks for the second collection, when it is worth one. Called by the reclaimer. */
  static void relieve() {
    if (RELEASED.get() >= LEAST && RELEASED.get() >= DirectMemory.limit() / 4) {
      RELEASED.set(0);
      System.gc();
    }
  }
}
