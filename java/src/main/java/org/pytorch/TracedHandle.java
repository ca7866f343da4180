package org.pytorch;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A handle that knows where it was made: with {@code -Dtorch4j.traceHandles=true}, to find what is
 * never closed. Costs a stack trace for each tensor.
 */
final class TracedHandle extends NativeHandle {
  static final boolean ENABLED = Boolean.getBoolean("torch4j.traceHandles");

  /** How many were left to the GC, by the place that made them. */
  private static final Map<String, AtomicLong> LEFT = new ConcurrentHashMap<>();

  private final Throwable made = new Throwable();

  TracedHandle(Object owner, long address) {
    super(owner, Kind.TENSOR, address);
  }

  @Override
  void leftToGc() {
    tell(kind(), made);
  }

  /** Prints each place once; {@link Torch#unclosed()} has the counts. */
  static void tell(Kind kind, Throwable made) {
    String place = kind.text + " was left to the GC; it was made\n" + stack(made);
    AtomicLong count = LEFT.computeIfAbsent(place, key -> new AtomicLong());
    if (count.incrementAndGet() == 1) {
      System.err.println("torch4j: " + place);
    }
  }

  static Map<String, AtomicLong> left() {
    return LEFT;
  }

  /** Lines outside this library first of all: those the reader can change. */
  private static String stack(Throwable made) {
    StringBuilder text = new StringBuilder();
    for (StackTraceElement element : made.getStackTrace()) {
      String name = element.getClassName();
      if (!name.equals(TracedHandle.class.getName()) && !name.equals(NativeHandle.class.getName())
          && !name.equals(ModuleHandle.class.getName())) {
        text.append("\tat ").append(element).append('\n');
      }
    }
    return text.toString().stripTrailing();
  }
}
