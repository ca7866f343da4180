package org.pytorch;

/** Arguments do not fit the schema of the method that was called; nothing was run. */
public class SchemaException extends TorchException {
  private static final long serialVersionUID = 1L;

  SchemaException(String message) {
    super(message);
  }

  SchemaException(String message, String scriptTrace, String nativeTrace) {
    super(message, scriptTrace, nativeTrace);
  }
}
