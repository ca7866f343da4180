package org.pytorch;

import java.lang.ref.PhantomReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reclaims native memory that nobody closed. The GC runs by the Java heap, where a tensor of a
 * gigabyte is a hundred bytes: when the native side has grown a lot, it asks for a collection here.
 * Called from C++, in the middle of an allocation.
 */
final class Pressure {
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final long PATIENCE_NANOS = 500_000_000;
  private static final long SHORTEST_NANOS = 50_000;
  private static final long LONGEST_NANOS = 2_000_000;

  /** Guarded by the lock, read without: how often it was done. */
  private static volatile long rounds;
  /** With -XX:+DisableExplicitGC there is nothing to wait for. */
  private static volatile boolean ignored;

  private Pressure() {}

  /** Closes what is unreachable, as far as the GC tells in half a second. */
  static void reclaim() {
    long before = rounds;
    LOCK.lock();
    try {
      if (rounds == before) { // else another thread has just done it
        collect();
        rounds++;
      }
    } finally {
      LOCK.unlock();
    }
  }

  private static void collect() {
    if (ignored) {
      return;
    }
    Sign sign = Sign.unreachable();
    System.gc();
    long start = System.nanoTime();
    long pause = SHORTEST_NANOS;
    // References found dead come into the queue after the collection, from another thread.
    while (!sign.seen || Reclaimer.drain() > 0) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        ignored = !sign.seen;
        break;
      }
      Reclaimer.drain();
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_NANOS);
    }
  }

  /** Comes into the queue once the collection has been. */
  static final class Sign extends PhantomReference<Object> {
    volatile boolean seen;

    private Sign(Object referent) {
      super(referent, Reclaimer.QUEUE);
    }

    static Sign unreachable() {
      return new Sign(new Object());
    }
  }
}
