package org.pytorch;

/**
 * {@link MemoryStats} for JMX, under the name {@value #NAME}: see {@link
 * Torch#registerMemoryBean()}.
 */
public interface TorchMemoryMXBean {
  /** Name of the bean. */
  String NAME = "org.pytorch:type=Memory";

  /**
   * Tensors that are neither closed nor reclaimed.
   *
   * @return a count
   */
  long getLiveTensors();

  /**
   * Modules that are neither closed nor reclaimed.
   *
   * @return a count
   */
  long getLiveModules();

  /**
   * Native bytes held now.
   *
   * @return bytes
   */
  long getBytes();

  /**
   * The most that was ever held.
   *
   * @return bytes
   */
  long getPeakBytes();

  /**
   * Freed and kept for reuse.
   *
   * @return bytes
   */
  long getCachedBytes();

  /**
   * What the bytes must not go beyond.
   *
   * @return bytes
   */
  long getLimitBytes();

  /**
   * Tensors and modules that nobody closed, so far.
   *
   * @return a count
   */
  long getReclaimedByGc();

  /** Gives the memory kept for reuse back to the system. */
  void releaseCache();
}
