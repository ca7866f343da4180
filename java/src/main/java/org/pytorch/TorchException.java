package org.pytorch;

/**
 * libtorch or a model failed. The message is the cause, short; what only a developer of torch4j or
 * of the model needs stands in {@link #scriptTrace()} and {@link #nativeTrace()}.
 */
public class TorchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Lines of TorchScript, or "". */
  private final String scriptTrace;

  /** Text of the C++ exception, or "". */
  private final String nativeTrace;

  TorchException(String message) {
    this(message, "", "");
  }

  TorchException(String message, Throwable cause) {
    super(message, cause);
    this.scriptTrace = "";
    this.nativeTrace = "";
  }

  TorchException(String message, String scriptTrace, String nativeTrace) {
    super(message);
    this.scriptTrace = scriptTrace;
    this.nativeTrace = nativeTrace;
  }

  /**
   * The lines of TorchScript that the error came through.
   *
   * @return the trace as TorchScript prints it; empty when the error came from elsewhere
   */
  public String scriptTrace() {
    return scriptTrace;
  }

  /**
   * The whole text of the C++ exception, with its C++ frames where libtorch gave some.
   *
   * @return the text; empty when it would only repeat the message
   */
  public String nativeTrace() {
    return nativeTrace;
  }
}
