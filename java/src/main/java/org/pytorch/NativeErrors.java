package org.pytorch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Makes the Java exception for an error of the native side. Called from C++ only. */
final class NativeErrors {
  private NativeErrors() {}

  /**
   * The texts are bytes: an error text of libtorch may hold broken UTF-8, which is then replaced.
   */
  static Throwable make(int code, byte[] message, byte[] scriptTrace, byte[] nativeTrace) {
    return make(code, text(message), text(scriptTrace), text(nativeTrace));
  }

  private static Throwable make(int code, String message, String script, String nativeTrace) {
    switch (code) {
      case NativeCodes.ERROR_LOAD:
        return new LoadException(message, script, nativeTrace);
      case NativeCodes.ERROR_SCHEMA:
        return new SchemaException(message, script, nativeTrace);
      case NativeCodes.ERROR_SCRIPT:
        return new ScriptException(message, script, nativeTrace);
      case NativeCodes.ERROR_ILLEGAL_ARGUMENT:
        return new IllegalArgumentException(message);
      case NativeCodes.ERROR_ILLEGAL_STATE:
        return new IllegalStateException(message);
      case NativeCodes.ERROR_INDEX:
        return new ArrayIndexOutOfBoundsException(message);
      case NativeCodes.ERROR_OUT_OF_MEMORY:
        return new OutOfMemoryError(message + alive());
      case NativeCodes.ERROR_IO:
        return new UncheckedIOException(new IOException(message));
      case NativeCodes.ERROR_UNSUPPORTED:
        return new IllegalArgumentException(message);
      default:
        return new TorchException(message, script, nativeTrace);
    }
  }

  /** Who looks for what fills the memory wants to know how much of it is Java's to close. */
  private static String alive() {
    return "; alive are " + Reclaimer.live(NativeHandle.Kind.TENSOR) + " tensors and "
        + Reclaimer.live(NativeHandle.Kind.MODULE)
        + " modules. Close what is not needed, or raise -D" + MemoryLimits.LIMIT_PROPERTY;
  }

  private static String text(byte[] utf8) {
    return utf8 == null ? "" : new String(utf8, StandardCharsets.UTF_8);
  }
}
