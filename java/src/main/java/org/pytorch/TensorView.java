package org.pytorch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Buffers on the memory of tensors. */
final class TensorView {
  private TensorView() {}

  /**
   * A view of a tensor's memory, or of a contiguous copy.
   *
   * <p>The handle's owner is the buffer that JNI made: every buffer derived from it keeps a
   * reference to it, so that the native tensor lives as long as the last of them.
   */
  static ByteBuffer of(long tensor) {
    long kept = NativeTensor.contiguous(tensor);
    ByteBuffer memory;
    try {
      memory = NativeTensor.view(kept);
    } catch (Throwable e) {
      NativeTensor.free(kept);
      throw e;
    }
    NativeHandle.adopt(memory, kept);
    return memory.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
  }
}
