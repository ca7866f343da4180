package org.pytorch;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Closes the handles whose owner was left to the GC, on one daemon thread.
 *
 * <p>An own one and not java.lang.ref.Cleaner: that needs three more objects for each tensor, and
 * has one lock for all threads.
 */
final class Reclaimer {
  static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  /** Lists by thread, so that threads that make tensors seldom meet at one lock. */
  private static final HandleList[] LISTS = new HandleList[16];
  private static final AtomicLong RECLAIMED = new AtomicLong();

  static {
    for (int i = 0; i < LISTS.length; i++) {
      LISTS[i] = new HandleList();
    }
    Thread thread = new Thread(null, new Loop(), "torch4j reclaimer", 0, false);
    thread.setDaemon(true);
    // Not the starter's: it would keep an application's class loader alive.
    thread.setContextClassLoader(null);
    thread.start();
  }

  private Reclaimer() {}

  /** Keeps the handle reachable: a phantom reference that is itself garbage is never enqueued. */
  static void add(NativeHandle handle) {
    int index = (int) Thread.currentThread().getId() & (LISTS.length - 1);
    handle.list = (byte) index;
    LISTS[index].add(handle);
  }

  /** Lets go of a closed handle. */
  static void remove(NativeHandle handle) {
    LISTS[handle.list].remove(handle);
  }

  /** Lets go of many, mostly of one thread: with one lock for all of them. */
  static void removeAll(NativeHandle[] handles, int count) {
    for (int i = 0; i < count;) {
      int end = i + 1;
      while (end < count && handles[end].list == handles[i].list) {
        end++;
      }
      LISTS[handles[i].list].removeAll(handles, i, end);
      i = end;
    }
  }

  static long live(NativeHandle.Kind kind) {
    long count = 0;
    for (HandleList list : LISTS) {
      count += list.count(kind);
    }
    return count;
  }

  /** How many handles the GC closed. */
  static long reclaimed() {
    return RECLAIMED.get();
  }

  /**
   * Closes all handles whose owner a collection has found dead, without waiting for the queue: on a
   * busy machine the thread that fills it may starve for long.
   */
  static void sweep() {
    List<NativeHandle> dead = new ArrayList<>();
    for (HandleList list : LISTS) {
      list.addDead(dead);
    }
    for (NativeHandle handle : dead) {
      close(handle);
    }
  }

  private static void close(NativeHandle handle) {
    if (handle.close()) {
      RECLAIMED.incrementAndGet();
      handle.leftToGc();
    }
  }

  private static final class Loop implements Runnable {
    @Override
    public void run() {
      while (true) {
        try {
          for (Reference<?> dead = QUEUE.remove(); dead != null; dead = QUEUE.poll()) {
            close((NativeHandle) dead);
          }
          BufferHandle.relieve();
        } catch (InterruptedException | RuntimeException | Error e) {
          // The net for all other objects must outlive whatever went wrong with one.
          continue;
        }
      }
    }
  }
}
