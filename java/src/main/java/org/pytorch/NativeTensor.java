package org.pytorch;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/** The native side of {@link Tensor}. Addresses come from entered handles only. */
final class NativeTensor {
  private NativeTensor() {}

  static native void free(long tensor);

  static native void freeAll(long[] tensors, int count);

  /**
   * Copies a primitive array into memory that libtorch allocated. The caller has checked its
   * length.
   */
  static native long fromArray(
      Object array, int arrayKind, int dtype, long[] shape, int memoryFormat);

  /** Rounds to nearest even into FLOAT16 or BFLOAT16. */
  static native long fromFloats(float[] values, int dtype, long[] shape, int memoryFormat);

  /** Wraps the bytes of a direct buffer from an offset on, and keeps the buffer reachable. */
  static native long fromBuffer(
      Buffer direct, long byteOffset, int dtype, long[] shape, int memoryFormat);

  /** See NativeCodes.INFO_*. */
  static native long[] describe(long tensor);

  /**
   * Copies all elements into an array from a start index on.
   *
   * @param storageOrder as they lie in memory, for a tensor that is dense in channels-last
   */
  static native void toArray(
      long tensor, Object array, int arrayKind, int start, int count, boolean storageOrder);

  /** FLOAT16 and BFLOAT16, widened exactly. */
  static native void toFloats(long tensor, float[] array, int start, int count);

  /** Copies count elements of an array into the tensor, in logical order. */
  static native void copyFromArray(long tensor, Object array, int arrayKind, int start, int count);

  /** The same into FLOAT16 and BFLOAT16, rounded to nearest even. */
  static native void copyFromFloats(long tensor, float[] array, int start, int count);

  /** Copies the bytes of a direct buffer from an offset on into the tensor, in logical order. */
  static native void copyFromBuffer(long tensor, Buffer direct, long byteOffset);

  /**
   * Copies the elements of each tensor into one of the same dtype and shape; all are checked
   * before.
   */
  static native void assign(long[] to, long[] from);

  /** Copies all elements to a direct buffer from a byte offset on, in logical order. */
  static native void toBuffer(long tensor, Buffer direct, long byteOffset);

  /** A tensor that is contiguous in the logical order: the same one when it is so already. */
  static native long contiguous(long tensor);

  /** The memory of a contiguous CPU tensor; at most 2^31-1 bytes. */
  static native ByteBuffer view(long tensor);

  /** Where the elements of a CPU tensor start. */
  static native long data(long tensor);

  /** A view of length elements of one dimension from start on; the caller has checked all three. */
  static native long narrow(long tensor, int dimension, long start, long length);

  static native long to(long tensor, int dtype, int device);

  static native long reshape(long tensor, long[] shape);
}
