package org.pytorch;

/** Order in which the elements of a tensor lie in memory. */
public enum MemoryFormat {
  /** Row-major in the order of the shape. */
  CONTIGUOUS(NativeCodes.CONTIGUOUS),
  /** Shape NCHW (or CHW), memory NHWC (or HWC). */
  CHANNELS_LAST(NativeCodes.CHANNELS_LAST),
  /** Shape NCDHW, memory NDHWC. */
  CHANNELS_LAST_3D(NativeCodes.CHANNELS_LAST_3D);

  final int jniCode;

  MemoryFormat(int jniCode) {
    this.jniCode = jniCode;
  }

  static MemoryFormat fromCode(long code) {
    return values()[(int) code - 1];
  }
}
