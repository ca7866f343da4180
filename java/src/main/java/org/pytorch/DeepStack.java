package org.pytorch;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs work that recurses in libtorch on a thread with a stack of its own: loading, and the first
 * calls of a method, which compile it. The caller's stack may be small (-Xss, virtual threads), and
 * one that is used up in native code ends the process.
 *
 * <p>Models of ordinary nesting share threads that end when idle; a deeper one gets a thread of its
 * own.
 */
final class DeepStack {
  /** What a model that is hardly nested needs, with a wide margin; only used pages cost memory. */
  static final long BASE_BYTES = 32L << 20;

  /**
   * Measured on libtorch 2.13.0: a model of 400 nested modules needs between 1 and 2 MB to load and
   * run, so that this is six times as much.
   */
  private static final long BYTES_PER_LEVEL = 32L << 10;

  private static final long MAX_BYTES = 4L << 30;
  private static final int SHARED_DEPTH = 500;
  private static final int IDLE_SECONDS = 5;

  private static final ExecutorService SHARED = new ThreadPoolExecutor(0, Integer.MAX_VALUE,
      IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), new ThreadFactory() {
        @Override public Thread newThread(Runnable work) { // no lambda: it would cost a cold start
          return thread(work, BASE_BYTES);
        }
      });

  /** Hands work to the thread that serves, if there is one. */
  private static final SynchronousQueue<Runnable> GUEST = new SynchronousQueue<>();
  private static final long SOON_MILLIS = 2;
  private static volatile boolean expected;

  private DeepStack() {}

  /** Deepest nesting that a stack can be made for. */
  static int maxDepth() {
    return (int) ((MAX_BYTES - BASE_BYTES) / BYTES_PER_LEVEL);
  }

  /**
   * Runs work and waits for it; what it throws is thrown here.
   *
   * @param depth nesting of the model
   */
  static <T> T run(int depth, Supplier<T> work) {
    Task<T> task = new Task<>(work);
    if (depth <= SHARED_DEPTH) {
      execute(task);
    } else {
      thread(task, BASE_BYTES + BYTES_PER_LEVEL * depth).start();
    }
    return task.result();
  }

  /**
   * Makes the calling thread, whose stack must be as large, work for others until it has been idle
   * for a while. The one that loaded the library is worth that: its heap is ready.
   */
  static void serve() {
    expected = false;
    try {
      for (Runnable work = GUEST.poll(IDLE_SECONDS, TimeUnit.SECONDS); work != null;
          work = GUEST.poll(IDLE_SECONDS, TimeUnit.SECONDS)) {
        work.run();
      }
    } catch (InterruptedException e) {
      // Nobody interrupts it; if so, it ends.
    }
  }

  /** Tells that a thread is about to {@link #serve()}. */
  static void expect() {
    expected = true;
  }

  private static void execute(Runnable work) {
    try {
      if (expected ? GUEST.offer(work, SOON_MILLIS, TimeUnit.MILLISECONDS) : GUEST.offer(work)) {
        return;
      }
      expected = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    SHARED.execute(work);
  }

  /** Loads the classes that {@link #run} needs. */
  static void prepare() {
    Task<Void> task = new Task<>(new Supplier<>() {
      @Override
      public Void get() {
        return null;
      }
    });
    task.done.countDown(); // not run: that would end the scope that the caller may be in
    task.result();
  }

  private static Thread thread(Runnable work, long stackBytes) {
    Thread thread = new Thread(null, work, "torch4j deep stack", stackBytes, false);
    thread.setDaemon(true);
    // Not the starter's: a shared thread would keep an application's class loader alive.
    thread.setContextClassLoader(null);
    return thread;
  }

  /** Work under way. */
  private static final class Task<T> implements Runnable {
    private final Supplier<T> work;
    /** What the work makes belongs to the caller, who waits meanwhile. */
    private final TensorScope scope = TensorScope.current();
    private final CountDownLatch done = new CountDownLatch(1);
    private T value;
    private RuntimeException exception;
    private Error error;

    Task(Supplier<T> work) {
      this.work = work;
    }

    @Override
    public void run() {
      TensorScope.lend(scope);
      try {
        value = work.get();
      } catch (RuntimeException e) {
        exception = e;
      } catch (Error e) {
        error = e;
      } finally {
        TensorScope.lend(null);
        done.countDown();
      }
    }

    /** Waits; gives what the work gave, or throws what it threw. */
    T result() {
      await();
      addCaller(exception);
      addCaller(error);
      if (exception != null) {
        throw exception;
      }
      if (error != null) {
        throw error;
      }
      return value;
    }

    /** Native work cannot be given up half-way: an interrupt waits until it is done. */
    private void await() {
      boolean interrupted = false;
      while (true) {
        try {
          done.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    /** A user wants to see the own line that called, and not only the thread that did the work. */
    private static void addCaller(Throwable thrown) {
      if (thrown == null) {
        return;
      }
      StackTraceElement[] inner = thrown.getStackTrace();
      StackTraceElement[] caller = new Throwable().getStackTrace();
      StackTraceElement[] both = Arrays.copyOf(inner, inner.length + caller.length);
      System.arraycopy(caller, 0, both, inner.length, caller.length);
      thrown.setStackTrace(both);
    }
  }
}
