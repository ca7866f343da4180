package org.pytorch;

/** Handles that are not closed, and how many of each kind. */
final class HandleList {
  private final int[] counts = new int[NativeHandle.Kind.values().length];
  private NativeHandle first;

  synchronized void add(NativeHandle handle) {
    handle.next = first;
    if (first != null) {
      first.previous = handle;
    }
    first = handle;
    counts[handle.kind().ordinal()]++;
  }

  synchronized void remove(NativeHandle handle) {
    unlink(handle);
  }

  private void unlink(NativeHandle handle) {
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
    counts[handle.kind().ordinal()]--;
  }

  synchronized void removeAll(NativeHandle[] handles, int start, int end) {
    for (int i = start; i < end; i++) {
      unlink(handles[i]);
    }
  }

  synchronized int count(NativeHandle.Kind kind) {
    return counts[kind.ordinal()];
  }
}
