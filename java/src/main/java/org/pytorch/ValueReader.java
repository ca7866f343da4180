package org.pytorch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads a value that the native side wrote: first the addresses of all its tensors, which are taken
 * over at once, then the value, in which tensors are indices into them.
 */
final class ValueReader {
  private final byte[] bytes;
  /** The same; array views by VarHandle would make a cold start wait. */
  private final ByteBuffer data;
  private final Tensor[] tensors;
  private int at;

  private ValueReader(byte[] bytes) {
    this.bytes = bytes;
    this.data = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    this.tensors = adoptAll();
  }

  static IValue read(byte[] bytes) {
    ValueReader reader = new ValueReader(bytes);
    try {
      return reader.value();
    } catch (Throwable e) {
      for (Tensor tensor : reader.tensors) {
        tensor.close();
      }
      throw e;
    }
  }

  /** From here on each native tensor has a Java owner; if one cannot be made, all are freed. */
  private Tensor[] adoptAll() {
    int count = readInt();
    int adopted = 0;
    try {
      Tensor[] owners = new Tensor[count];
      while (adopted < count) {
        // Counted before: adopt frees the native tensor itself when it fails.
        long address = addressAt(adopted++);
        owners[adopted - 1] = Tensor.adopt(address);
      }
      at += 8 * count;
      return owners;
    } catch (Throwable e) {
      for (int i = adopted; i < count; i++) {
        NativeTensor.free(addressAt(i));
      }
      throw e;
    }
  }

  private long addressAt(int index) {
    return data.getLong(at + 8 * index);
  }

  private IValue value() {
    int tag = bytes[at++];
    switch (tag) {
      case NativeCodes.TAG_NONE:
        return IValue.optionalNull();
      case NativeCodes.TAG_TENSOR:
        return IValue.from(tensors[readInt()]);
      case NativeCodes.TAG_BOOL:
        return IValue.from(bytes[at++] != 0);
      case NativeCodes.TAG_LONG:
        return IValue.from(readLong());
      case NativeCodes.TAG_DOUBLE:
        return IValue.from(readDouble());
      case NativeCodes.TAG_COMPLEX:
        return IValue.complexFrom(readDouble(), readDouble());
      case NativeCodes.TAG_STRING:
        return IValue.from(readString());
      case NativeCodes.TAG_DEVICE:
        return IValue.deviceFrom(readString());
      default:
        return container(tag);
    }
  }

  private IValue container(int tag) {
    int count = readInt();
    switch (tag) {
      case NativeCodes.TAG_TUPLE:
        return IValue.tupleFrom(values(count));
      case NativeCodes.TAG_NAMED_TUPLE:
        return namedTuple(count);
      case NativeCodes.TAG_LIST:
        return IValue.listOf(java.util.Arrays.asList(values(count)));
      case NativeCodes.TAG_BOOL_LIST:
        return IValue.listFrom(booleans(count));
      case NativeCodes.TAG_LONG_LIST:
        return IValue.listFrom(longs(count));
      case NativeCodes.TAG_DOUBLE_LIST:
        return IValue.listFrom(doubles(count));
      case NativeCodes.TAG_TENSOR_LIST:
        return IValue.listFrom(tensors(count));
      case NativeCodes.TAG_DICT_STRING_KEY:
        return stringDict(count);
      case NativeCodes.TAG_DICT_LONG_KEY:
        return longDict(count);
      case NativeCodes.TAG_DICT:
        return dict(count);
      default:
        throw new IllegalStateException("unknown tag " + tag + " of a value from the native side");
    }
  }

  private IValue[] values(int count) {
    IValue[] values = new IValue[count];
    for (int i = 0; i < count; i++) {
      values[i] = value();
    }
    return values;
  }

  private IValue namedTuple(int count) {
    String[] names = new String[count];
    IValue[] values = new IValue[count];
    for (int i = 0; i < count; i++) {
      names[i] = readString();
      values[i] = value();
    }
    return IValue.namedTupleFrom(names, values);
  }

  private IValue stringDict(int count) {
    Map<String, IValue> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(value().toStr(), value());
    }
    return IValue.dictStringKeyFrom(map);
  }

  private IValue longDict(int count) {
    Map<Long, IValue> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(value().toLong(), value());
    }
    return IValue.dictLongKeyFrom(map);
  }

  private IValue dict(int count) {
    Map<IValue, IValue> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(value(), value());
    }
    return IValue.dictFrom(map);
  }

  private boolean[] booleans(int count) {
    boolean[] values = new boolean[count];
    for (int i = 0; i < count; i++) {
      values[i] = bytes[at++] != 0;
    }
    return values;
  }

  private long[] longs(int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = readLong();
    }
    return values;
  }

  private double[] doubles(int count) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = readDouble();
    }
    return values;
  }

  private Tensor[] tensors(int count) {
    Tensor[] values = new Tensor[count];
    for (int i = 0; i < count; i++) {
      values[i] = tensors[readInt()];
    }
    return values;
  }

  private int readInt() {
    int value = data.getInt(at);
    at += 4;
    return value;
  }

  private long readLong() {
    long value = data.getLong(at);
    at += 8;
    return value;
  }

  private double readDouble() {
    double value = data.getDouble(at);
    at += 8;
    return value;
  }

  private String readString() {
    int length = readInt();
    at += length;
    return Utf8.decode(bytes, at - length, length);
  }
}
