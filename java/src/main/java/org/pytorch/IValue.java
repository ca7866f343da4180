package org.pytorch;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A value of TorchScript: what goes into a model and comes out of it. Pure Java, without any native
 * part; tensors inside it are {@link Tensor} objects and stay the user's to close.
 *
 * <p>Immutable, but not deep: as in the official bindings the factories keep the array, map or
 * tensor that they are given, and the getters give that same object back. A getter for another kind
 * throws IllegalStateException. The types of lists and dicts need not be told: a call takes them
 * from the schema of the method.
 */
public class IValue {
  /** Kinds of values. */
  public enum Kind {
    /** None. */
    NONE(NativeCodes.TAG_NONE, "Null"),
    /** A tensor. */
    TENSOR(NativeCodes.TAG_TENSOR, "Tensor"),
    /** A bool. */
    BOOL(NativeCodes.TAG_BOOL, "Bool"),
    /** An int (64 bit). */
    LONG(NativeCodes.TAG_LONG, "Long"),
    /** A float (64 bit). */
    DOUBLE(NativeCodes.TAG_DOUBLE, "Double"),
    /** A str. */
    STRING(NativeCodes.TAG_STRING, "String"),
    /** A tuple. */
    TUPLE(NativeCodes.TAG_TUPLE, "Tuple"),
    /** List[bool]. */
    BOOL_LIST(NativeCodes.TAG_BOOL_LIST, "BoolList"),
    /** List[int]. */
    LONG_LIST(NativeCodes.TAG_LONG_LIST, "LongList"),
    /** List[float]. */
    DOUBLE_LIST(NativeCodes.TAG_DOUBLE_LIST, "DoubleList"),
    /** List[Tensor]. */
    TENSOR_LIST(NativeCodes.TAG_TENSOR_LIST, "TensorList"),
    /** Any other list. */
    LIST(NativeCodes.TAG_LIST, "GenericList"),
    /** A dict with str keys. */
    DICT_STRING_KEY(NativeCodes.TAG_DICT_STRING_KEY, "DictStringKey"),
    /** A dict with int keys. */
    DICT_LONG_KEY(NativeCodes.TAG_DICT_LONG_KEY, "DictLongKey"),
    /** A dict with other keys: float, bool, complex, Tensor, device. */
    DICT(NativeCodes.TAG_DICT, "Dict"),
    /** A complex number. */
    COMPLEX(NativeCodes.TAG_COMPLEX, "Complex"),
    /** A torch.device. */
    DEVICE(NativeCodes.TAG_DEVICE, "Device"),
    /** A NamedTuple. */
    NAMED_TUPLE(NativeCodes.TAG_NAMED_TUPLE, "NamedTuple");

    final int tag;
    /** The official name, used in messages. */
    final String text;

    Kind(int tag, String text) {
      this.tag = tag;
      this.text = text;
    }
  }

  private static final IValue NULL = new IValue(Kind.NONE, null);
  private static final IValue TRUE = new IValue(Kind.BOOL, Boolean.TRUE);
  private static final IValue FALSE = new IValue(Kind.BOOL, Boolean.FALSE);

  private final Kind kind;
  /**
   * None: null; tensor, bool, long, double, string as their Java class; lists and tuples as arrays;
   * dicts as maps; complex as double[2]; device as String; named tuple as NamedTuple.
   */
  private final Object data;

  private IValue(Kind kind, Object data) {
    this.kind = kind;
    this.data = data;
  }

  Object data() {
    return data;
  }

  /** Visits every tensor inside, keys of dicts too, as often as it stands there. */
  void forEachTensor(Consumer<Tensor> visitor) {
    if (data instanceof Tensor) {
      visitor.accept((Tensor) data);
    } else if (data instanceof Tensor[]) {
      Arrays.asList((Tensor[]) data).forEach(visitor);
    } else if (data instanceof IValue[]) {
      Arrays.asList((IValue[]) data).forEach(value -> value.forEachTensor(visitor));
    } else if (data instanceof NamedTuple) {
      Arrays.asList(((NamedTuple) data).values).forEach(value -> value.forEachTensor(visitor));
    } else if (data instanceof Map) {
      ((Map<?, ?>) data).forEach((key, value) -> {
        if (key instanceof IValue) {
          ((IValue) key).forEachTensor(visitor);
        }
        ((IValue) value).forEachTensor(visitor);
      });
    }
  }

  /**
   * What this value is.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Whether this is None.
   *
   * @return true when it is
   */
  public boolean isNull() {
    return kind == Kind.NONE;
  }

  /**
   * Whether this is a tensor.
   *
   * @return true when it is
   */
  public boolean isTensor() {
    return kind == Kind.TENSOR;
  }

  /**
   * Whether this is a bool.
   *
   * @return true when it is
   */
  public boolean isBool() {
    return kind == Kind.BOOL;
  }

  /**
   * Whether this is an int.
   *
   * @return true when it is
   */
  public boolean isLong() {
    return kind == Kind.LONG;
  }

  /**
   * Whether this is a float.
   *
   * @return true when it is
   */
  public boolean isDouble() {
    return kind == Kind.DOUBLE;
  }

  /**
   * Whether this is a str.
   *
   * @return true when it is
   */
  public boolean isString() {
    return kind == Kind.STRING;
  }

  /**
   * Whether this is a tuple; a named one is a tuple too.
   *
   * @return true when it is
   */
  public boolean isTuple() {
    return kind == Kind.TUPLE || kind == Kind.NAMED_TUPLE;
  }

  /**
   * Whether this is a NamedTuple.
   *
   * @return true when it is
   */
  public boolean isNamedTuple() {
    return kind == Kind.NAMED_TUPLE;
  }

  /**
   * Whether this is List[bool].
   *
   * @return true when it is
   */
  public boolean isBoolList() {
    return kind == Kind.BOOL_LIST;
  }

  /**
   * Whether this is List[int].
   *
   * @return true when it is
   */
  public boolean isLongList() {
    return kind == Kind.LONG_LIST;
  }

  /**
   * Whether this is List[float].
   *
   * @return true when it is
   */
  public boolean isDoubleList() {
    return kind == Kind.DOUBLE_LIST;
  }

  /**
   * Whether this is List[Tensor].
   *
   * @return true when it is
   */
  public boolean isTensorList() {
    return kind == Kind.TENSOR_LIST;
  }

  /**
   * Whether this is a list that is none of the four typed ones.
   *
   * @return true when it is
   */
  public boolean isList() {
    return kind == Kind.LIST;
  }

  /**
   * Whether this is a dict with str keys.
   *
   * @return true when it is
   */
  public boolean isDictStringKey() {
    return kind == Kind.DICT_STRING_KEY;
  }

  /**
   * Whether this is a dict with int keys.
   *
   * @return true when it is
   */
  public boolean isDictLongKey() {
    return kind == Kind.DICT_LONG_KEY;
  }

  /**
   * Whether this is a complex number.
   *
   * @return true when it is
   */
  public boolean isComplex() {
    return kind == Kind.COMPLEX;
  }

  /**
   * Whether this is a torch.device.
   *
   * @return true when it is
   */
  public boolean isDevice() {
    return kind == Kind.DEVICE;
  }

  /**
   * Whether this is a dict, with keys of any type.
   *
   * @return true when {@link #toDict()} works
   */
  public boolean isDict() {
    return kind == Kind.DICT || kind == Kind.DICT_STRING_KEY || kind == Kind.DICT_LONG_KEY;
  }

  /**
   * None.
   *
   * @return the one value of kind NONE
   */
  public static IValue optionalNull() {
    return NULL;
  }

  /**
   * A tensor.
   *
   * @param tensor the value; kept, not copied
   * @return a value of kind TENSOR
   * @throws NullPointerException when null
   */
  public static IValue from(Tensor tensor) {
    return new IValue(Kind.TENSOR, IValueChecks.notNull(tensor, "tensor"));
  }

  /**
   * A bool.
   *
   * @param value the value
   * @return a value of kind BOOL
   */
  public static IValue from(boolean value) {
    return value ? TRUE : FALSE;
  }

  /**
   * An int.
   *
   * @param value the value
   * @return a value of kind LONG
   */
  public static IValue from(long value) {
    return new IValue(Kind.LONG, value);
  }

  /**
   * A float.
   *
   * @param value the value
   * @return a value of kind DOUBLE
   */
  public static IValue from(double value) {
    return new IValue(Kind.DOUBLE, value);
  }

  /**
   * A str; any text that UTF-8 can carry, NUL included.
   *
   * @param value the value
   * @return a value of kind STRING
   * @throws NullPointerException when null
   */
  public static IValue from(String value) {
    return new IValue(Kind.STRING, IValueChecks.notNull(value, "value"));
  }

  /**
   * A complex number.
   *
   * @param real real part
   * @param imaginary imaginary part
   * @return a value of kind COMPLEX
   */
  public static IValue complexFrom(double real, double imaginary) {
    return new IValue(Kind.COMPLEX, new double[] {real, imaginary});
  }

  /**
   * A torch.device.
   *
   * @param name as torch writes it: {@code cpu}, {@code cuda:1}
   * @return a value of kind DEVICE
   * @throws NullPointerException when null
   */
  public static IValue deviceFrom(String name) {
    return new IValue(Kind.DEVICE, IValueChecks.notNull(name, "name"));
  }

  /**
   * A list of bools.
   *
   * @param list the value; kept, not copied
   * @return a value of kind BOOL_LIST
   * @throws NullPointerException when null
   */
  public static IValue listFrom(boolean... list) {
    return new IValue(Kind.BOOL_LIST, IValueChecks.notNull(list, "list"));
  }

  /**
   * A list of ints.
   *
   * @param list the value; kept, not copied
   * @return a value of kind LONG_LIST
   * @throws NullPointerException when null
   */
  public static IValue listFrom(long... list) {
    return new IValue(Kind.LONG_LIST, IValueChecks.notNull(list, "list"));
  }

  /**
   * A list of floats.
   *
   * @param list the value; kept, not copied
   * @return a value of kind DOUBLE_LIST
   * @throws NullPointerException when null
   */
  public static IValue listFrom(double... list) {
    return new IValue(Kind.DOUBLE_LIST, IValueChecks.notNull(list, "list"));
  }

  /**
   * A list of tensors.
   *
   * @param list the elements; kept, not copied
   * @return a value of kind TENSOR_LIST
   * @throws NullPointerException when null or an element is null
   */
  public static IValue listFrom(Tensor... list) {
    return new IValue(Kind.TENSOR_LIST, IValueChecks.elements(list, "list"));
  }

  /**
   * A list of values of one kind; {@link #optionalNull()} may stand among them.
   *
   * @param array the elements; kept, not copied
   * @return a value of kind LIST
   * @throws NullPointerException when null or an element is null
   * @throws IllegalArgumentException when the kinds differ: see {@link #listOf(List)}
   */
  public static IValue listFrom(IValue... array) {
    return new IValue(Kind.LIST, IValueChecks.sameKind(IValueChecks.elements(array, "array")));
  }

  /**
   * A list of values of any kinds, as {@code List[Any]}, {@code List[Optional[...]]} or a list of
   * lists want it. Fits every list type whose element type its elements fit.
   *
   * @param list the elements; copied
   * @return a value of kind LIST
   * @throws NullPointerException when null or an element is null
   */
  public static IValue listOf(List<IValue> list) {
    IValue[] array = IValueChecks.notNull(list, "list").toArray(new IValue[0]);
    return new IValue(Kind.LIST, IValueChecks.elements(array, "list"));
  }

  /**
   * A tuple.
   *
   * @param array the elements; kept, not copied
   * @return a value of kind TUPLE
   * @throws NullPointerException when null or an element is null
   */
  public static IValue tupleFrom(IValue... array) {
    return new IValue(Kind.TUPLE, IValueChecks.elements(array, "array"));
  }

  /**
   * A NamedTuple; fits a tuple type too.
   *
   * @param names field names; copied
   * @param values field values, as many; copied
   * @return a value of kind NAMED_TUPLE
   * @throws NullPointerException when null or an element is null
   * @throws IllegalArgumentException when the two differ in length
   */
  public static IValue namedTupleFrom(String[] names, IValue... values) {
    return new IValue(Kind.NAMED_TUPLE, new NamedTuple(names, values));
  }

  /**
   * A dict with str keys, in the map's order.
   *
   * @param map the entries; kept, not copied
   * @return a value of kind DICT_STRING_KEY
   * @throws NullPointerException when null, or when a key or value is null
   */
  public static IValue dictStringKeyFrom(Map<String, IValue> map) {
    return new IValue(Kind.DICT_STRING_KEY, IValueChecks.entries(map));
  }

  /**
   * A dict with int keys, in the map's order.
   *
   * @param map the entries; kept, not copied
   * @return a value of kind DICT_LONG_KEY
   * @throws NullPointerException when null, or when a key or value is null
   */
  public static IValue dictLongKeyFrom(Map<Long, IValue> map) {
    return new IValue(Kind.DICT_LONG_KEY, IValueChecks.entries(map));
  }

  /**
   * A dict with keys of any type that TorchScript allows: int, float, bool, str, complex, Tensor,
   * device.
   *
   * @param map the entries, in order; kept, not copied
   * @return a value of kind DICT
   * @throws NullPointerException when null, or when a key or value is null
   */
  public static IValue dictFrom(Map<IValue, IValue> map) {
    return new IValue(Kind.DICT, IValueChecks.entries(map));
  }

  /**
   * The tensor.
   *
   * @return the value
   * @throws IllegalStateException when this is of another kind
   */
  public Tensor toTensor() {
    return (Tensor) get(Kind.TENSOR);
  }

  /**
   * The bool.
   *
   * @return the value
   * @throws IllegalStateException when this is of another kind
   */
  public boolean toBool() {
    return (boolean) get(Kind.BOOL);
  }

  /**
   * The int.
   *
   * @return the value
   * @throws IllegalStateException when this is of another kind
   */
  public long toLong() {
    return (long) get(Kind.LONG);
  }

  /**
   * The float.
   *
   * @return the value
   * @throws IllegalStateException when this is of another kind
   */
  public double toDouble() {
    return (double) get(Kind.DOUBLE);
  }

  /**
   * The str.
   *
   * @return the value
   * @throws IllegalStateException when this is of another kind
   */
  public String toStr() {
    return (String) get(Kind.STRING);
  }

  /**
   * The list of bools.
   *
   * @return the value
   * @throws IllegalStateException when this is of another kind
   */
  public boolean[] toBoolList() {
    return (boolean[]) get(Kind.BOOL_LIST);
  }

  /**
   * The list of ints.
   *
   * @return the value
   * @throws IllegalStateException when this is of another kind
   */
  public long[] toLongList() {
    return (long[]) get(Kind.LONG_LIST);
  }

  /**
   * The list of floats.
   *
   * @return the value
   * @throws IllegalStateException when this is of another kind
   */
  public double[] toDoubleList() {
    return (double[]) get(Kind.DOUBLE_LIST);
  }

  /**
   * The list of tensors.
   *
   * @return the value
   * @throws IllegalStateException when this is of another kind
   */
  public Tensor[] toTensorList() {
    return (Tensor[]) get(Kind.TENSOR_LIST);
  }

  /**
   * The elements of a list of kind LIST.
   *
   * @return the value
   * @throws IllegalStateException when this is of another kind
   */
  public IValue[] toList() {
    return (IValue[]) get(Kind.LIST);
  }

  /**
   * The elements of a tuple, named or not.
   *
   * @return the elements
   * @throws IllegalStateException when this is of another kind
   */
  public IValue[] toTuple() {
    return kind == Kind.NAMED_TUPLE ? ((NamedTuple) data).values : (IValue[]) get(Kind.TUPLE);
  }

  /**
   * The field names of a NamedTuple.
   *
   * @return the names, in the order of {@link #toTuple()}
   * @throws IllegalStateException when this is of another kind
   */
  public List<String> fieldNames() {
    return ((NamedTuple) get(Kind.NAMED_TUPLE)).names;
  }

  /**
   * The entries of a dict with str keys.
   *
   * @return the map; from a model it keeps the order of the dict
   * @throws IllegalStateException when this is of another kind
   */
  @SuppressWarnings("unchecked")
  public Map<String, IValue> toDictStringKey() {
    return (Map<String, IValue>) get(Kind.DICT_STRING_KEY);
  }

  /**
   * The entries of a dict with int keys.
   *
   * @return the map; from a model it keeps the order of the dict
   * @throws IllegalStateException when this is of another kind
   */
  @SuppressWarnings("unchecked")
  public Map<Long, IValue> toDictLongKey() {
    return (Map<Long, IValue>) get(Kind.DICT_LONG_KEY);
  }

  /**
   * The entries of any dict, keys as values.
   *
   * @return a map in the order of the dict
   * @throws IllegalStateException when this is no dict
   */
  public Map<IValue, IValue> toDict() {
    return isDict() ? IValueChecks.generic(this) : IValueChecks.asDict(get(Kind.DICT));
  }

  /**
   * The complex number.
   *
   * @return a new array: real part, imaginary part
   * @throws IllegalStateException when this is of another kind
   */
  public double[] toComplex() {
    return ((double[]) get(Kind.COMPLEX)).clone();
  }

  /**
   * The name of the torch.device, such as {@code cpu} or {@code cuda:1}.
   *
   * @return the name
   * @throws IllegalStateException when this is of another kind
   */
  public String toDevice() {
    return (String) get(Kind.DEVICE);
  }

  private Object get(Kind wanted) {
    if (kind != wanted) {
      throw new IllegalStateException(
          "Expected IValue type " + wanted.text + ", actual type " + kind.text);
    }
    return data;
  }

  /**
   * Equal kind and content. Tensors are equal when they are the same Java object: comparing
   * elements is not what a hash map expects. Floats compare by their bits, so that NaN equals
   * itself.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof IValue && kind == ((IValue) other).kind
        && IValueChecks.same(data, ((IValue) other).data);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + IValueChecks.hash(data);
  }

  /** As TorchScript prints, shortened: {@code {"boxes": [1, 2, 3]}}. */
  @Override
  public String toString() {
    return IValuePrinter.print(this);
  }
}
