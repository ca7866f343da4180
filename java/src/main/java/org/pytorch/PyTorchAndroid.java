package org.pytorch;

/** What is left of the official class off Android. */
public final class PyTorchAndroid {
  private PyTorchAndroid() {}

  /**
   * The official name of {@link Torch#setNumThreads}.
   *
   * @param numThreads at least 1
   * @throws IllegalArgumentException when less than 1
   * @deprecated use {@link Torch#setNumThreads}
   */
  @Deprecated
  public static void setNumThreads(int numThreads) {
    Torch.setNumThreads(numThreads);
  }
}
