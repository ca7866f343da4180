package org.pytorch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON (RFC 8259) into Map, List, String, Double, Boolean and null: for what torch4j's export
 * wrote into an archive. Own code, since the jar needs no other.
 */
final class JsonReader {
  private static final int MAX_DEPTH = 100;

  private final String text;
  private int at;
  private int depth;

  private JsonReader(String text) {
    this.text = text;
  }

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException telling where the text is no JSON
   */
  static Object read(String text) {
    JsonReader reader = new JsonReader(text);
    Object value = reader.value();
    reader.skipBlanks();
    if (reader.at < text.length()) {
      throw reader.wrong("the end");
    }
    return value;
  }

  private Object value() {
    skipBlanks();
    switch (peek()) {
      case '{':
        return object();
      case '[':
        return array();
      case '"':
        return string();
      case 't':
        return word("true", Boolean.TRUE);
      case 'f':
        return word("false", Boolean.FALSE);
      case 'n':
        return word("null", null);
      default:
        return number();
    }
  }

  private Map<String, Object> object() {
    enter();
    Map<String, Object> object = new LinkedHashMap<>();
    skipBlanks();
    while (peek() != '}') {
      skipBlanks();
      String key = string();
      skipBlanks();
      expect(':');
      object.put(key, value());
      next('}');
    }
    leave();
    return object;
  }

  private List<Object> array() {
    enter();
    List<Object> array = new ArrayList<>();
    skipBlanks();
    while (peek() != ']') {
      array.add(value());
      next(']');
    }
    leave();
    return array;
  }

  private void enter() {
    if (++depth > MAX_DEPTH) {
      throw wrong("less nesting");
    }
    at++;
  }

  private void leave() {
    depth--;
    at++;
  }

  /** Behind an element: a comma and more, or the end. */
  private void next(char end) {
    skipBlanks();
    if (peek() == end) {
      return;
    }
    expect(',');
    skipBlanks();
    if (peek() == end) {
      throw wrong("another element");
    }
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    while (peek() != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw wrong("an escaped control character");
      }
      string.append(c == '\\' ? escaped() : c);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char c = peek();
    at++;
    switch (c) {
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'u':
        return unit();
      case '"':
      case '\\':
      case '/':
        return c;
      default:
        throw wrong("an escape");
    }
  }

  private char unit() {
    try {
      int code = Integer.parseInt(text.substring(at, at + 4), 16);
      at += 4;
      return (char) code;
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw wrong("four hexadecimal digits");
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong("a value");
    }
    at += word.length();
    return value;
  }

  private Double number() {
    int start = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    try {
      return Double.valueOf(text.substring(start, at));
    } catch (NumberFormatException e) {
      at = start;
      throw wrong("a value");
    }
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong("more");
    }
    return text.charAt(at);
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw wrong("'" + wanted + "'");
    }
    at++;
  }

  private IllegalArgumentException wrong(String expected) {
    return new IllegalArgumentException("no JSON: expected " + expected + " at character " + at);
  }
}
