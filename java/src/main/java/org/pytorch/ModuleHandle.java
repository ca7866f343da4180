package org.pytorch;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The handle of a module, which many threads enter at once: one count of users for all of them
 * would go from core to core at every call. So each thread counts in a stripe, a cache line that it
 * shares with few others, and only closing looks at all stripes.
 *
 * <p>Why nobody uses what was freed: a user counts itself in, then looks whether the handle is
 * closed; closing marks it closed, then looks at the counts. So whoever got in before the mark is
 * seen in its stripe until it leaves, and a stripe that is seen at zero has none of them left. Why
 * it is freed: each one who leaves after the mark looks at the counts again, and the last of them
 * sees only zeros.
 */
class ModuleHandle extends NativeHandle {
  /** Two cache lines of 64 bytes, as processors fetch them in pairs: counts that far apart. */
  private static final int APART = 16;

  /** A power of two, more than threads that run at once on most machines: they seldom meet. */
  private static final int STRIPES = 32;

  private final AtomicLongArray users = new AtomicLongArray((STRIPES + 1) * APART);
  private final AtomicBoolean freed = new AtomicBoolean();
  /** Where it was made, when that is asked for. */
  private final Throwable made = TracedHandle.ENABLED ? new Throwable() : null;

  ModuleHandle(Object owner, long address) {
    super(owner, Kind.MODULE, address);
  }

  /**
   * Counts a user in, in the stripe of this thread. The address is valid until {@link #leave}.
   *
   * @return where it was counted, for leave
   * @throws IllegalStateException when closed
   */
  int join() {
    return join(((int) Thread.currentThread().getId() & (STRIPES - 1)) * APART + APART);
  }

  private int join(int place) {
    users.getAndIncrement(place);
    if (isClosed()) {
      leave(place);
      throw closedError();
    }
    return place;
  }

  /** Counts a user out; the last one after close frees. */
  void leave(int place) {
    users.getAndDecrement(place);
    if (isClosed()) {
      freeIfUnused();
    }
  }

  /** For users who are not in a hurry: all in one stripe. */
  @Override
  long enter() {
    join(APART);
    return address();
  }

  @Override
  void exit() {
    leave(APART);
  }

  @Override
  boolean close() {
    if (markClosed() < 0) {
      return false;
    }
    Reclaimer.remove(this);
    freeIfUnused();
    return true;
  }

  private void freeIfUnused() {
    for (int i = 0; i < STRIPES; i++) {
      if (users.get((i + 1) * APART) != 0) {
        return;
      }
    }
    if (freed.compareAndSet(false, true)) {
      free();
    }
  }

  @Override
  void leftToGc() {
    if (made != null) {
      TracedHandle.tell(kind(), made);
    }
  }
}
