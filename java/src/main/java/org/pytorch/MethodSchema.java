package org.pytorch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The signature of a method of a model, as TorchScript declares it. */
public final class MethodSchema {
  /** One argument. */
  public static final class Argument {
    private final String name;
    private final String type;
    private final IValue defaultValue;

    private Argument(IValue[] fields) {
      this.name = fields[0].toStr();
      this.type = fields[1].toStr();
      this.defaultValue = fields[2].toBool() ? fields[3] : null;
    }

    /**
     * The name, as used for named arguments.
     *
     * @return the name
     */
    public String name() {
      return name;
    }

    /**
     * The type, as TorchScript writes it: {@code Dict[str, Tensor]}.
     *
     * @return the type
     */
    public String type() {
      return type;
    }

    /**
     * Whether the argument may be left out.
     *
     * @return true when the schema has a default
     */
    public boolean hasDefault() {
      return defaultValue != null;
    }

    /**
     * The value taken when the argument is left out.
     *
     * @return the default
     * @throws IllegalStateException when there is none
     */
    public IValue defaultValue() {
      if (defaultValue == null) {
        throw new IllegalStateException("argument '" + name + "' has no default");
      }
      return defaultValue;
    }

    @Override
    public String toString() {
      return type + " " + name + (hasDefault() ? "=" + defaultValue : "");
    }
  }

  private final String name;
  private final List<Argument> arguments;
  private final List<String> returns;
  private final String text;

  private MethodSchema(IValue[] fields) {
    this.name = fields[0].toStr();
    this.text = fields[1].toStr();
    List<Argument> args = new ArrayList<>();
    for (IValue argument : fields[2].toList()) {
      args.add(new Argument(argument.toTuple()));
    }
    List<String> types = new ArrayList<>();
    for (IValue type : fields[3].toList()) {
      types.add(type.toStr());
    }
    this.arguments = Collections.unmodifiableList(args);
    this.returns = Collections.unmodifiableList(types);
  }

  static MethodSchema of(IValue described) {
    return new MethodSchema(described.toTuple());
  }

  /**
   * Name of the method.
   *
   * @return for example {@code forward}
   */
  public String name() {
    return name;
  }

  /**
   * The arguments, without {@code self}.
   *
   * @return an unmodifiable list
   */
  public List<Argument> arguments() {
    return arguments;
  }

  /**
   * Types of what is returned: one, in TorchScript.
   *
   * @return an unmodifiable list
   */
  public List<String> returns() {
    return returns;
  }

  /**
   * The signature in one line: {@code forward(x: Tensor, mask: Optional[Tensor] = None) ->
   * Tensor}.
   */
  @Override
  public String toString() {
    return text;
  }
}
