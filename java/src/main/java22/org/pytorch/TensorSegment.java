package org.pytorch;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory segments of tensors, from Java 22 on. */
final class TensorSegment {
  private TensorSegment() {}

  /**
   * A view of a tensor's memory, or of a contiguous copy. The native tensor is freed when the
   * segment, and with it its arena, is garbage.
   */
  static Object of(long tensor, long bytes) {
    long kept = NativeTensor.contiguous(tensor);
    try {
      MemorySegment memory = MemorySegment.ofAddress(NativeTensor.data(kept));
      return memory.reinterpret(bytes, Arena.ofAuto(), gone -> NativeTensor.free(kept))
          .asReadOnly();
    } catch (Throwable e) {
      NativeTensor.free(kept);
      throw e;
    }
  }
}
