package org.pytorch;

/** Loads the library that the official custom-build tool generates. */
public class PyTorchCodegenLoader {
  private PyTorchCodegenLoader() {}

  /** Loads {@code torch-code-gen} from java.library.path; without one, nothing happens. */
  public static void loadNativeLibs() {
    try {
      System.loadLibrary("torch-code-gen");
    } catch (Throwable e) {
      // The official behaviour: the library is optional, and its absence no error.
      return;
    }
  }
}
