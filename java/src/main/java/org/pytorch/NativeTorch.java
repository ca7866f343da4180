package org.pytorch;

/** The native side of {@link Torch}. */
final class NativeTorch {
  private NativeTorch() {}

  /** torch4j, libtorch when torch4j was built, libtorch as it runs: three lines. */
  static native byte[] versions();

  static native byte[] info();

  static native void setNumThreads(int threads);

  static native int getNumThreads();

  /** Lowers the number of intra-op threads to that of the JVM's processors. */
  static native void limitThreads(int processors);

  /** See MemoryLimits. */
  static native void configureMemory(long limit, long step, long cacheLimit);

  /** See NativeCodes.MEMORY_*. */
  static native long[] memoryUse();

  static native void releaseCache();

  static native void setNumInteropThreads(int threads);

  static native int getNumInteropThreads();

  static native void manualSeed(long seed);

  static native void loadLibrary(byte[] path);

  /** Whether an operator, namespace::name, is registered. */
  static native boolean hasOperator(byte[] name);

  /** Opens a file for reading by the bytes of its name; negative when that fails. */
  static native int openFile(byte[] path);

  static native void closeFile(int descriptor);
}
