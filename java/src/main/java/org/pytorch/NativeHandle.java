package org.pytorch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;

/**
 * The address of a native object and the count of those who use it at the moment.
 *
 * <p>A handle is freed once, by its last user, after close. It is a phantom reference to its owner,
 * so that the owner and the handle are the only two Java objects of a tensor; {@link Reclaimer}
 * closes handles whose owner was left to the GC.
 *
 * <p>Subclasses add what is told of one that was left to the GC.
 *
 * <p>{@code state} is the number of users, with the sign bit set once closed: one atomic number
 * decides who frees.
 */
class NativeHandle extends PhantomReference<Object> {
  private static final int CLOSED = Integer.MIN_VALUE;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(NativeHandle.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What a handle stands for: its name in messages, and how it is freed. */
  enum Kind {
    TENSOR("tensor") {
      @Override
      void free(long address) {
        NativeTensor.free(address);
      }
    },
    MODULE("module") {
      @Override
      void free(long address) {
        // Freeing follows the nesting of the model, on whichever thread happens to be the last
        // user.
        try {
          DeepStack.run(0, () -> {
            NativeModule.free(address);
            return null;
          });
        } catch (OutOfMemoryError e) {
          // No thread to be had: a close that never throws is worth more than the deepest models.
          NativeModule.free(address);
        }
      }
    };

    final String text;

    Kind(String text) {
      this.text = text;
    }

    abstract void free(long address);
  }

  private final Kind kind;
  private final long address;
  private volatile int state;
  // Links of the reclaimer's list, guarded by its lock.
  NativeHandle previous;
  NativeHandle next;
  /** Which of the reclaimer's lists it is in. */
  byte list;

  NativeHandle(Object owner, Kind kind, long address) {
    super(owner, Reclaimer.QUEUE);
    this.kind = kind;
    this.address = address;
  }

  /**
   * Takes over a native tensor. When not even the handle can be made, the native tensor is freed,
   * so that nothing leaks.
   */
  static NativeHandle adopt(Object owner, long address) {
    try {
      return listed(TracedHandle.ENABLED ? new TracedHandle(owner, address)
                                         : new NativeHandle(owner, Kind.TENSOR, address));
    } catch (Throwable e) {
      Kind.TENSOR.free(address);
      throw e;
    }
  }

  /** The same for a module. */
  static ModuleHandle adoptModule(Object owner, long address) {
    try {
      ModuleHandle handle = new ModuleHandle(owner, address);
      Reclaimer.add(handle);
      return handle;
    } catch (Throwable e) {
      Kind.MODULE.free(address);
      throw e;
    }
  }

  /** The same for a tensor over a direct buffer of so many bytes. */
  static NativeHandle adopt(Object owner, long address, long bufferBytes) {
    try {
      return listed(new BufferHandle(owner, address, bufferBytes));
    } catch (Throwable e) {
      Kind.TENSOR.free(address);
      throw e;
    }
  }

  private static NativeHandle listed(NativeHandle handle) {
    Reclaimer.add(handle);
    return handle;
  }

  Kind kind() {
    return kind;
  }

  /** For telling handles apart only: valid as an address between enter and exit. */
  long address() {
    return address;
  }

  /** Told by the reclaimer when it had to close this. */
  void leftToGc() {}

  /**
   * Counts a user in. Every enter is followed by an {@link #exit()} in a finally block.
   *
   * @return the address, valid until exit
   * @throws IllegalStateException when closed
   */
  long enter() {
    int users;
    do {
      users = state;
      if (users < 0) {
        throw closedError();
      }
    } while (!STATE.weakCompareAndSet(this, users, users + 1));
    return address;
  }

  IllegalStateException closedError() {
    return new IllegalStateException(kind.text + " is closed");
  }

  /** Counts a user out; the last one after close frees. */
  void exit() {
    if ((int) STATE.getAndAdd(this, -1) - 1 == CLOSED) {
      free();
    }
  }

  /** Frees the native object; called once. */
  void free() {
    kind.free(address);
  }

  /**
   * Closes: no one enters any more. Frees at once when nobody is inside.
   *
   * @return false when closed already
   */
  boolean close() {
    int users = markClosed();
    if (users < 0) {
      return false;
    }
    Reclaimer.remove(this);
    if (users == 0) {
      free();
    }
    return true;
  }

  /**
   * Closes many, with one lock and one crossing of the border for all tensors. Some may be null.
   */
  static void closeAll(NativeHandle[] handles, int count) {
    NativeHandle[] closed = new NativeHandle[count];
    long[] unused = new long[count];
    int marked = 0;
    int free = 0;
    for (int i = 0; i < count; i++) {
      NativeHandle handle = handles[i];
      if (handle == null || handle.kind != Kind.TENSOR) {
        if (handle != null) {
          handle.close();
        }
        continue;
      }
      int users = handle.markClosed();
      if (users >= 0) {
        closed[marked++] = handle;
      }
      if (users == 0) {
        unused[free++] = handle.address;
      }
    }
    Reclaimer.removeAll(closed, marked);
    if (free > 0) {
      NativeTensor.freeAll(unused, free);
    }
  }

  /** Returns the users who are inside and will free, or a negative number when closed already. */
  int markClosed() {
    int users;
    do {
      users = state;
      if (users < 0) {
        return users;
      }
    } while (!STATE.weakCompareAndSet(this, users, users | CLOSED));
    return users;
  }

  boolean isClosed() {
    return state < 0;
  }
}
