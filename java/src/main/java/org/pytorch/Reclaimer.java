package org.pytorch;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/**
 * Closes the handles whose owner was left to the GC, on one daemon thread.
 *
 * <p>An own one and not java.lang.ref.Cleaner: that needs three more objects for each tensor.
 */
final class Reclaimer {
  static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  private static final Object LOCK = new Object();
  private static NativeHandle first;

  static {
    Thread thread = new Thread(null, Reclaimer::run, "torch4j reclaimer", 0, false);
    thread.setDaemon(true);
    // Not the starter's: it would keep an application's class loader alive.
    thread.setContextClassLoader(null);
    thread.start();
  }

  private Reclaimer() {}

  /** Keeps the handle reachable: a phantom reference that is itself garbage is never enqueued. */
  static void add(NativeHandle handle) {
    synchronized (LOCK) {
      handle.next = first;
      if (first != null) {
        first.previous = handle;
      }
      first = handle;
    }
  }

  /** Lets go of a closed handle. */
  static void remove(NativeHandle handle) {
    synchronized (LOCK) {
      if (handle.previous != null) {
        handle.previous.next = handle.next;
      } else if (first == handle) {
        first = handle.next;
      }
      if (handle.next != null) {
        handle.next.previous = handle.previous;
      }
      handle.previous = null;
      handle.next = null;
    }
  }

  private static void run() {
    while (true) {
      try {
        Reference<?> handle = QUEUE.remove();
        ((NativeHandle) handle).close();
      } catch (InterruptedException | RuntimeException | Error e) {
        // The net for all other objects must outlive whatever went wrong with one.
        continue;
      }
    }
  }
}
