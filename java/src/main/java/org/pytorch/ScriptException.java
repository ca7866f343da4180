package org.pytorch;

/** Raised while a model ran: a {@code raise} in its code, or an operator that failed. */
public class ScriptException extends TorchException {
  private static final long serialVersionUID = 1L;

  ScriptException(String message) {
    super(message);
  }

  ScriptException(String message, String scriptTrace, String nativeTrace) {
    super(message, scriptTrace, nativeTrace);
  }
}
