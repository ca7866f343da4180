package org.pytorch;

/** A model or a library could not be loaded: missing, unreadable, or not what was expected. */
public class LoadException extends TorchException {
  private static final long serialVersionUID = 1L;

  LoadException(String message) {
    super(message);
  }

  LoadException(String message, String scriptTrace, String nativeTrace) {
    super(message, scriptTrace, nativeTrace);
  }
}
