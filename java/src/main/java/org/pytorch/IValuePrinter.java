package org.pytorch;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Prints values as TorchScript does, shortened. */
final class IValuePrinter {
  private static final int MAX_ELEMENTS = 20;
  private static final int MAX_CHARS = 200;
  private static final int MAX_DEPTH = 20;

  private IValuePrinter() {}

  static String print(IValue value) {
    return print(value, 0);
  }

  private static String print(IValue value, int depth) {
    if (depth > MAX_DEPTH) {
      return "...";
    }
    switch (value.kind()) {
      case NONE:
        return "None";
      case BOOL:
        return python(value.toBool());
      case STRING:
        return quoted(value.toStr());
      case COMPLEX:
        return ComplexText.of(value.toComplex()[0], value.toComplex()[1]);
      case TUPLE:
        return tuple(elements(value.toTuple(), depth));
      case NAMED_TUPLE:
        return named(value, depth);
      case TENSOR:
      case LONG:
      case DOUBLE:
      case DEVICE:
        return String.valueOf(value.data());
      default:
        return value.isDict() ? dict(value, depth) : list(elements(value.data(), depth));
    }
  }

  private static String list(List<String> elements) {
    return "[" + String.join(", ", elements) + "]";
  }

  private static String tuple(List<String> elements) {
    return "(" + String.join(", ", elements) + (elements.size() == 1 ? ",)" : ")");
  }

  private static String named(IValue value, int depth) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < value.toTuple().length; i++) {
      fields.add(value.fieldNames().get(i) + "=" + print(value.toTuple()[i], depth + 1));
    }
    return "(" + String.join(", ", fields) + ")";
  }

  private static String dict(IValue value, int depth) {
    List<String> entries = new ArrayList<>();
    for (Map.Entry<IValue, IValue> entry : value.toDict().entrySet()) {
      if (entries.size() == MAX_ELEMENTS) {
        entries.add("...");
        break;
      }
      entries.add(print(entry.getKey(), depth + 1) + ": " + print(entry.getValue(), depth + 1));
    }
    return "{" + String.join(", ", entries) + "}";
  }

  private static List<String> elements(Object array, int depth) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      if (i == MAX_ELEMENTS) {
        texts.add("... " + Array.getLength(array) + " in all");
        break;
      }
      texts.add(element(Array.get(array, i), depth));
    }
    return texts;
  }

  private static String element(Object element, int depth) {
    if (element instanceof IValue) {
      return print((IValue) element, depth + 1);
    }
    return element instanceof Boolean ? python((Boolean) element) : String.valueOf(element);
  }

  private static String python(boolean value) {
    return value ? "True" : "False";
  }

  private static String quoted(String text) {
    String shown = text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "..." : text;
    return '"' + shown.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
