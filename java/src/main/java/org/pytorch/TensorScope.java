package org.pytorch;

import java.util.Arrays;

/**
 * Closes at its end everything that its thread made inside it: tensors and modules, results of
 * calls as well as what the factories give. For those who do not want a try-with-resources for each
 * tensor:
 *
 * <pre>{@code
 * try (TensorScope scope = TensorScope.open()) {
 *   Tensor input = Tensor.fromBlob(pixels, shape);
 *   Tensor features = encoder.forward(input);
 *   return scope.keep(head.forward(features));
 * }
 * }</pre>
 *
 * <p>Scopes nest. A scope belongs to the thread that opened it; other threads' tensors are not in
 * it. One that is never closed leaves its tensors to the GC.
 */
public final class TensorScope implements AutoCloseable {
  /** One for each thread, so that opening and closing only write a field. */
  private static final ThreadLocal<Innermost> INNERMOST = new ThreadLocal<>() {
    @Override protected Innermost initialValue() { // no lambda: it would cost a cold start
      return new Innermost();
    }
  };

  /** Until the first scope there is nothing to look up for each new tensor. */
  private static volatile boolean used;

  private static final class Innermost {
    private TensorScope scope;
  }

  private final Thread thread = Thread.currentThread();
  private final Innermost innermost;
  private final TensorScope outer;
  private NativeHandle[] handles = new NativeHandle[32];
  private int count;
  private boolean closed;

  private TensorScope(Innermost innermost) {
    this.innermost = innermost;
    this.outer = innermost.scope;
  }

  /**
   * Opens a scope for this thread, inside the one that is open already, if any.
   *
   * @return the scope, to be closed by this thread
   */
  public static TensorScope open() {
    used = true;
    Innermost innermost = INNERMOST.get();
    innermost.scope = new TensorScope(innermost);
    return innermost.scope;
  }

  /** Puts a new tensor or module into the innermost scope of this thread, if there is one. */
  static NativeHandle enlist(NativeHandle handle) {
    TensorScope scope = current();
    if (scope != null) {
      scope.add(handle);
    }
    return handle;
  }

  /** The innermost scope of this thread, or null. */
  static TensorScope current() {
    return used ? INNERMOST.get().scope : null;
  }

  /** Makes a thread that works for another one put what it makes into the other's scope. */
  static void lend(TensorScope scope) {
    if (used) {
      INNERMOST.get().scope = scope;
    }
  }

  private void add(NativeHandle handle) {
    if (count == handles.length) {
      makeRoom();
    }
    handles[count++] = handle;
  }

  /** Forgets what was closed meanwhile, so that a long loop inside a scope does not grow it. */
  private void makeRoom() {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (handles[i] != null && !handles[i].isClosed()) {
        handles[kept++] = handles[i];
      }
    }
    Arrays.fill(handles, kept, count, null);
    count = kept;
    if (count > handles.length / 2) {
      handles = Arrays.copyOf(handles, handles.length * 2);
    }
  }

  /**
   * Keeps a tensor beyond the end of this scope: it goes to the scope around it, or, where there is
   * none, to the caller, who closes it.
   *
   * @param tensor made in this scope or elsewhere
   * @return the same tensor
   * @throws IllegalStateException when the scope is closed or belongs to another thread
   */
  public Tensor keep(Tensor tensor) {
    keep(IValueChecks.notNull(tensor, "tensor").handle());
    return tensor;
  }

  /**
   * Keeps a module beyond the end of this scope.
   *
   * @param module made in this scope or elsewhere
   * @return the same module
   * @throws IllegalStateException when the scope is closed or belongs to another thread
   */
  public Module keep(Module module) {
    keep(IValueChecks.notNull(module, "module").handle());
    return module;
  }

  /**
   * Keeps all tensors inside a value beyond the end of this scope.
   *
   * @param value any value
   * @return the same value
   * @throws IllegalStateException when the scope is closed or belongs to another thread
   */
  public IValue keep(IValue value) {
    IValueChecks.notNull(value, "value").forEachTensor(this::keep);
    return value;
  }

  private void keep(NativeHandle handle) {
    check();
    // What is kept is mostly what was made last.
    for (int i = count - 1; i >= 0; i--) {
      if (handles[i] == handle) {
        handles[i] = null;
        if (outer != null) {
          outer.add(handle);
        }
        return;
      }
    }
  }

  private void check() {
    if (closed) {
      throw new IllegalStateException("scope is closed");
    }
    if (Thread.currentThread() != thread) {
      throw new IllegalStateException("scope belongs to thread " + thread.getName() + ", this is "
          + Thread.currentThread().getName());
    }
  }

  /**
   * Closes everything made inside and not kept, in scopes inside this one too. Does nothing when
   * closed.
   *
   * @throws IllegalStateException when called from another thread
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    check();
    for (TensorScope scope = innermost.scope; scope != outer; scope = scope.outer) {
      scope.end();
    }
    innermost.scope = outer;
  }

  private void end() {
    closed = true;
    NativeHandle.closeAll(handles, count);
    handles = new NativeHandle[0];
    count = 0;
  }
}
