package org.pytorch;

import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Runs work that recurses in libtorch on a thread with a stack of its own: loading, and the first
 * calls of a method, which compile it. The caller's stack may be small (-Xss, virtual threads), and
 * one that is used up in native code ends the process.
 */
final class DeepStack {
  /**
   * What a model that is hardly nested needs, with a wide margin; only pages that are used cost
   * memory.
   */
  private static final long BASE_BYTES = 16L << 20;
  /**
   * Measured on libtorch 2.13.0: a model of 400 nested modules needs between 1 and 2 MB to load
   * and run.
   */
  private static final long BYTES_PER_LEVEL = 32L << 10;
  private static final long MAX_BYTES = 4L << 30;

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
    return start(depth, work).result();
  }

  /** Starts work, so that the caller can do something else meanwhile. */
  static <T> Task<T> start(int depth, Supplier<T> work) {
    Task<T> task = new Task<>(work);
    long bytes = BASE_BYTES + BYTES_PER_LEVEL * depth;
    task.thread = new Thread(null, task, "torch4j deep stack", bytes, false);
    task.thread.setDaemon(true);
    task.thread.start();
    return task;
  }

  /** Native work cannot be given up half-way: an interrupt waits until it is done. */
  private static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Work under way. */
  static final class Task<T> implements Runnable {
    private final Supplier<T> work;
    private Thread thread;
    private T value;
    private RuntimeException exception;
    private Error error;

    Task(Supplier<T> work) {
      this.work = work;
    }

    @Override
    public void run() {
      try {
        value = work.get();
      } catch (RuntimeException e) {
        exception = e;
      } catch (Error e) {
        error = e;
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

    /** Waits; gives what the work gave, or throws what it threw. */
    T result() {
      join(thread);
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
  }
}
