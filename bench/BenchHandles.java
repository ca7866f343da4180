package org.pytorch;

import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * What a handle costs. In the package of the library, since handles are not public. Argument:
 * rounds. Prints nanoseconds, a line each: a tensor's user count; a module's, by one thread, by two
 * and by eight (per call of one thread); closing a tensor; closing it by a scope.
 */
public class BenchHandles {
  private static final int CALLS = 200_000;
  private static final int TENSORS = 20_000;
  private static final float[] DATA = {1, 2, 3, 4};
  private static final long[] SHAPE = {1, 4};

  private static long sink;

  private static void users(NativeHandle handle) {
    for (int i = 0; i < CALLS; i++) {
      sink += handle.enter();
      handle.exit();
    }
  }

  private static void callers(ModuleHandle handle) {
    for (int i = 0; i < CALLS; i++) {
      int place = handle.join();
      sink += place;
      handle.leave(place);
    }
  }

  private static void together(int threads, ModuleHandle handle) {
    Thread[] all = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      all[i] = new Thread(() -> callers(handle));
      all[i].start();
    }
    for (Thread thread : all) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Nanoseconds that closing took, of TENSORS, twenty at a time. */
  private static long closed() {
    Tensor[] made = new Tensor[20];
    long nanos = 0;
    for (int i = 0; i < TENSORS; i += made.length) {
      for (int j = 0; j < made.length; j++) {
        made[j] = Tensor.fromBlob(DATA, SHAPE);
      }
      long start = System.nanoTime();
      for (Tensor tensor : made) {
        tensor.close();
      }
      nanos += System.nanoTime() - start;
    }
    return nanos;
  }

  /** The same with scopes, what the scope itself takes included. */
  private static long scoped() {
    long nanos = 0;
    for (int i = 0; i < TENSORS; i += 20) {
      long start = System.nanoTime();
      TensorScope scope = TensorScope.open();
      nanos += System.nanoTime() - start;
      for (int j = 0; j < 20; j++) {
        Tensor.fromBlob(DATA, SHAPE);
      }
      start = System.nanoTime();
      scope.close();
      nanos += System.nanoTime() - start;
    }
    return nanos;
  }

  private static long timed(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return System.nanoTime() - start;
  }

  private static String times(int rounds, int divisor, LongSupplier nanos) {
    double[] each = new double[rounds];
    for (int i = -10; i < rounds; i++) {
      double found = nanos.getAsLong() / (double) divisor;
      if (i >= 0) {
        each[i] = found;
      }
    }
    return Arrays.toString(each).replaceAll("[\\[\\],]", "");
  }

  /** Runs all. */
  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    Tensor tensor = Tensor.fromBlob(DATA, SHAPE);
    NativeHandle handle = tensor.handle();
    System.out.println(times(rounds, CALLS, () -> timed(() -> users(handle))));
    ModuleHandle module = new ModuleHandle(tensor, 0); // never closed: there is nothing behind it
    System.out.println(times(rounds, CALLS, () -> timed(() -> callers(module))));
    System.out.println(times(rounds, CALLS, () -> timed(() -> together(2, module))));
    System.out.println(times(rounds, CALLS, () -> timed(() -> together(8, module))));
    System.out.println(times(rounds, TENSORS, BenchHandles::closed));
    System.out.println(times(rounds, TENSORS, BenchHandles::scoped));
    tensor.close();
  }
}
