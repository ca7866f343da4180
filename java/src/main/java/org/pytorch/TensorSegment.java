package org.pytorch;

/**
 * Memory segments of tensors, before Java 22: there are none. The class of the same name in
 * java/src/main/java22 takes its place in the multi-release jar.
 */
final class TensorSegment {
  private TensorSegment() {}

  static Object of(long tensor, long bytes) {
    throw new UnsupportedOperationException("MemorySegment needs Java 22 or later, and a "
        + "torch4j.jar that was built with such a JDK; this is"
        + " Java " + Runtime.version().feature());
  }
}
