package org.pytorch;

import java.nio.ByteBuffer;

/**
 * The native side of {@link Module}: load, methods, run. Addresses come from entered handles only.
 */
final class NativeModule {
  private NativeModule() {}

  /**
   * Loads from a path or, when that is null, from a direct buffer (position 0 to limit).
   *
   * @param extraContents receives for each name the content, or null where the archive lacks it
   * @param spans start and size, in turn, of members whose CRC is to be taken while libtorch reads
   *     them; sorted by start
   * @param crcs receives for each span the CRC found, where libtorch read it whole and in order
   */
  static native long load(byte[] path, ByteBuffer data, int device, int flags, byte[][] extraNames,
      byte[][] extraContents, long[] spans, long[] crcs);

  static native void free(long module);

  static native long copy(long module);

  /** Address of a method, which lives as long as its module; 0 when there is none of that name. */
  static native long method(long module, byte[] name);

  /** The schema as a value: see MethodSchema. */
  static native byte[] schema(long method);

  /** One of NativeCodes.VALUES_*. */
  static native byte[] values(long module, int which);

  static native byte[] attribute(long module, byte[] name);

  // The fast paths: tensors in, one tensor out, nothing but addresses. 0 stands for None.
  static native long run1(long method, long tensor);

  static native long run2(long method, long first, long second);

  static native long runAll(long method, long[] tensors);

  /** Any values in, any value out, in the format of ValueWriter and ValueReader. */
  static native byte[] run(long method, byte[] arguments, int length);
}
