package org.pytorch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code torch4j export} wrote about a model: more than TorchScript's own schema tells, since
 * it was seen and checked when the model was exported. Member {@value #FILE} of the archive.
 */
public final class Signature {
  static final String FILE = "torch4j.json";
  private static final int FORMAT = 1;

  /**
   * A range of sizes of one dimension.
   *
   * @param least the smallest size
   * @param most the largest, or -1 when no end was found
   */
  public record Dim(long least, long most) {
    /** {@code 3}, {@code 1..64} or {@code 1..}. */
    @Override
    public String toString() {
      if (least == most) {
        return Long.toString(least);
      }
      return least + ".." + (most < 0 ? "" : most);
    }
  }

  /**
   * An argument.
   *
   * @param name its name
   * @param type as TorchScript writes it
   * @param dtype of a tensor, {@code float32}; null when it varied, and for what is no tensor
   * @param dims of a tensor; null when their number varied, and for what is no tensor
   * @param defaultValue as Python writes it; null when there is none
   */
  public record
      Argument(String name, String type, String dtype, List<Dim> dims, String defaultValue) {
    /** {@code x: Tensor float32[1.., 4]}. */
    @Override
    public String toString() {
      return name + ": " + type + (dtype == null ? "" : " " + dtype)
          + (dims == null ? "" : dims.toString())
          + (defaultValue == null ? "" : " = " + defaultValue);
    }
  }

  /**
   * A method.
   *
   * @param arguments in order, without self
   * @param returns type of what it returns, as TorchScript writes it
   * @param names of the elements of the tuple returned, where the model in Python gave a dict or
   *     such; else empty
   * @param examples how many example calls the file holds: see {@link Module#selfTest()}
   */
  public record
      Method(List<Argument> arguments, List<String> returns, List<String> names, int examples) {}

  private final String torch;
  private final String how;
  private final Map<String, Method> methods;

  private Signature(String torch, String how, Map<String, Method> methods) {
    this.torch = torch;
    this.how = how;
    this.methods = Collections.unmodifiableMap(methods);
  }

  /**
   * Version of the torch that exported the model.
   *
   * @return such as {@code 2.13.0}
   */
  public String torch() {
    return torch;
  }

  /**
   * How it was exported.
   *
   * @return {@code script} or {@code trace}
   */
  public String how() {
    return how;
  }

  /**
   * The methods.
   *
   * @return an unmodifiable map by name, in the model's order
   */
  public Map<String, Method> methods() {
    return methods;
  }

  /** A line for each method. */
  @Override
  public String toString() {
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<String, Method> entry : methods.entrySet()) {
      Method method = entry.getValue();
      String separator = lines.length() == 0 ? "" : "\n";
      lines.append(separator).append(entry.getKey()).append('(');
      String comma = "";
      for (Argument argument : method.arguments()) {
        lines.append(comma).append(argument);
        comma = ", ";
      }
      lines.append(") -> ").append(String.join(", ", method.returns()));
      lines.append(method.names().isEmpty() ? "" : " " + method.names());
    }
    return lines.toString();
  }

  /**
   * Reads the file.
   *
   * @throws LoadException when it is another version's or no such file at all
   */
  static Signature read(byte[] json) {
    try {
      Map<?, ?> root = (Map<?, ?>) JsonReader.read(new String(json, StandardCharsets.UTF_8));
      double format = (Double) root.get("format");
      if (format != FORMAT) {
        throw new LoadException(FILE + " has format " + format + ", this torch4j reads " + FORMAT
            + ": use the torch4j that exported the model, or a later one");
      }
      Map<?, ?> examples = (Map<?, ?>) root.get("examples");
      Map<String, Method> methods = new LinkedHashMap<>();
      ((Map<?, ?>) root.get("methods")).forEach((name, told) -> {
        Double count = (Double) examples.get(name);
        methods.put((String) name, method((Map<?, ?>) told, count == null ? 0 : count.intValue()));
      });
      return new Signature((String) root.get("torch"), (String) root.get("method"), methods);
    } catch (IllegalArgumentException | ClassCastException | NullPointerException e) {
      throw new LoadException(FILE + " inside the archive is not what torch4j export writes: " + e);
    }
  }

  private static Method method(Map<?, ?> told, int examples) {
    List<Argument> arguments = new ArrayList<>();
    for (Object argument : (List<?>) told.get("arguments")) {
      arguments.add(argument((Map<?, ?>) argument));
    }
    Object names = told.get("names");
    return new Method(List.copyOf(arguments), strings((List<?>) told.get("returns")),
        names == null ? List.of() : strings((List<?>) names), examples);
  }

  private static Argument argument(Map<?, ?> told) {
    return new Argument((String) told.get("name"), (String) told.get("type"),
        (String) told.get("dtype"), dims((List<?>) told.get("dims")), (String) told.get("default"));
  }

  private static List<Dim> dims(List<?> told) {
    if (told == null) {
      return null;
    }
    List<Dim> dims = new ArrayList<>();
    for (Object each : told) {
      List<?> bounds = (List<?>) each;
      Double most = (Double) bounds.get(1);
      dims.add(new Dim(((Double) bounds.get(0)).longValue(), most == null ? -1 : most.longValue()));
    }
    return List.copyOf(dims);
  }

  private static List<String> strings(List<?> told) {
    List<String> strings = new ArrayList<>();
    for (Object string : told) {
      strings.add((String) string);
    }
    return List.copyOf(strings);
  }
}
