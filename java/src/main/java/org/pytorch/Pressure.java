package org.pytorch;

import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reclaims native memory that nobody closed. The GC runs by the Java heap, where a tensor of a
 * gigabyte is a hundred bytes: when the native side has grown a lot, it asks for a collection here.
 * Called from C++, in the middle of an allocation.
 */
final class Pressure {
  private static final ReentrantLock LOCK = new ReentrantLock();
  /** For a collection to come, where System.gc() does not wait for it. */
  private static final long PATIENCE_NANOS = 500_000_000;
  private static final long SHORTEST_NANOS = 50_000;
  private static final long LONGEST_NANOS = 2_000_000;
  private static final int TRIES = 3;

  /** Guarded by the lock, read without: how often it was done. */
  private static volatile long rounds;
  /**
   * How often in a row no collection came: with -XX:+DisableExplicitGC there is nothing to wait
   * for. Guarded by the lock.
   */
  private static int inVain;

  private Pressure() {}

  /** Closes what a collection finds unreachable. */
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
    if (inVain >= TRIES) {
      return;
    }
    WeakReference<Object> sign = new WeakReference<>(new Object()); // cleared in the collection
    System.gc();
    long start = System.nanoTime();
    long pause = SHORTEST_NANOS;
    while (sign.get() != null && System.nanoTime() - start < PATIENCE_NANOS) {
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_NANOS);
    }
    inVain = sign.get() == null ? 0 : inVain + 1;
    Reclaimer.sweep();
  }
}
