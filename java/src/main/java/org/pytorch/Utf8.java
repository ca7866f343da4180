package org.pytorch;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strings cross as real UTF-8 bytes, never as JNI's modified UTF-8. */
final class Utf8 {
  private Utf8() {}

  /**
   * Encodes strictly.
   *
   * @throws IllegalArgumentException on a lone surrogate, which UTF-8 cannot carry
   */
  static byte[] encode(String text) {
    // getBytes is far faster than an encoder, and writes '?' for each lone surrogate.
    int lone = loneSurrogate(text);
    if (lone >= 0) {
      throw new IllegalArgumentException(
          String.format("string has a lone surrogate \\u%04x at index %d, which UTF-8 cannot carry",
              (int) text.charAt(lone), lone));
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static int loneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      boolean pair = Character.isHighSurrogate(c) && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1));
      if (!pair) {
        return i;
      }
      i++;
    }
    return -1;
  }

  /**
   * Decodes strictly.
   *
   * @throws TorchException when the bytes are no UTF-8: replacing them would misread the value
   */
  static String decode(byte[] bytes, int offset, int length) {
    String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
    // Only a text with the replacement character can have been broken.
    if (text.indexOf('\ufffd') < 0) {
      return text;
    }
    try {
      CharBuffer chars =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, offset, length));
      return chars.toString();
    } catch (CharacterCodingException e) {
      throw new TorchException("a string of the model is not valid UTF-8: " + text, e);
    }
  }
}
