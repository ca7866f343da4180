package org.pytorch;

import java.util.Locale;

/**
 * Native memory of the process at one moment. Bytes are those that libtorch holds in CPU memory for
 * tensors, for the weights of modules and for intermediate results, each block once, however many
 * tensors look at it; memory of direct buffers that the user gave is Java's and not counted. Bytes
 * are exact but for the last 64 KiB of each thread.
 *
 * @param liveTensors tensors that are neither closed nor reclaimed
 * @param liveModules modules that are neither closed nor reclaimed
 * @param bytes held now
 * @param peakBytes the most that was ever held
 * @param cachedBytes freed, and kept for the next allocation of that size
 * @param limitBytes what {@code bytes} must not go beyond
 * @param reclaimedByGc tensors and modules that nobody closed, so far
 */
public record MemoryStats(long liveTensors, long liveModules, long bytes, long peakBytes,
    long cachedBytes, long limitBytes, long reclaimedByGc) {
  static MemoryStats now() {
    long[] use = NativeTorch.memoryUse();
    return new MemoryStats(Reclaimer.live(NativeHandle.Kind.TENSOR),
        Reclaimer.live(NativeHandle.Kind.MODULE), use[NativeCodes.MEMORY_BYTES],
        use[NativeCodes.MEMORY_PEAK], use[NativeCodes.MEMORY_CACHED], use[NativeCodes.MEMORY_LIMIT],
        Reclaimer.reclaimed());
  }

  /** In one line, for a person. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT,
        "%,d tensors and %,d modules, %s (peak %s, limit %s), %s kept for reuse, %,d left to the "
            + "GC",
        liveTensors, liveModules, size(bytes), size(peakBytes), size(limitBytes), size(cachedBytes),
        reclaimedByGc);
  }

  private static String size(long bytes) {
    return String.format(Locale.ROOT, "%,.1f MiB", bytes / 1048576.0);
  }
}
