package org.pytorch;

import java.util.List;

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

  /** Adds those whose owner the GC has found dead. */
  synchronized void addDead(List<NativeHandle> dead) {
    for (NativeHandle handle = first; handle != null; handle = handle.next) {
      if (handle.refersTo(null)) {
        dead.add(handle);
      }
    }
  }

  synchronized int count(NativeHandle.Kind kind) {
    return counts[kind.ordinal()];
  }
}
