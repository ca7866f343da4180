package org.pytorch;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Writes values into one byte array for the native side: a tag, then the payload in native byte
 * order, nested in place. Tensors are entered and go as addresses; {@link #close()} leaves them.
 */
final class ValueWriter implements AutoCloseable {
  private byte[] bytes = new byte[256];
  /** The same; array views by VarHandle would make a cold start wait. */
  private ByteBuffer data = view(bytes);
  private int size;
  private int depth;
  private final List<Tensor> entered = new ArrayList<>();

  private static ByteBuffer view(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  /** Leaves all tensors, and keeps them reachable up to here. */
  @Override
  public void close() {
    for (Tensor tensor : entered) {
      tensor.handle().exit();
    }
    Reference.reachabilityFence(entered);
  }

  void arguments(List<IValue> positional, Map<String, IValue> named) {
    writeInt(positional.size());
    for (IValue value : positional) {
      write(value);
    }
    writeInt(named.size());
    for (Map.Entry<String, IValue> entry : named.entrySet()) {
      writeString(IValueChecks.notNull(entry.getKey(), "argument name"));
      write(IValueChecks.notNull(entry.getValue(), entry.getKey()));
    }
  }

  private void write(IValue value) {
    if (++depth > NativeCodes.MAX_DEPTH) {
      throw new IllegalArgumentException(
          "value is nested more than " + NativeCodes.MAX_DEPTH + " deep");
    }
    writeByte(value.kind().tag);
    writeData(value);
    depth--;
  }

  private void writeData(IValue value) {
    switch (value.kind()) {
      case NONE:
        break;
      case TENSOR:
        writeTensor(value.toTensor());
        break;
      case BOOL:
        writeByte(value.toBool() ? 1 : 0);
        break;
      case LONG:
        writeLong(value.toLong());
        break;
      case DOUBLE:
        writeDouble(value.toDouble());
        break;
      case COMPLEX:
        writeDouble(value.toComplex()[0]);
        writeDouble(value.toComplex()[1]);
        break;
      case STRING:
        writeString(value.toStr());
        break;
      case DEVICE:
        writeString(value.toDevice());
        break;
      case NAMED_TUPLE:
        writeNamedTuple(value);
        break;
      case DICT_STRING_KEY:
      case DICT_LONG_KEY:
      case DICT:
        writeDict(value);
        break;
      default:
        writeArray(value.data());
    }
  }

  private void writeArray(Object array) {
    if (array instanceof IValue[]) {
      IValue[] values = (IValue[]) array;
      writeInt(values.length);
      for (IValue value : values) {
        write(value);
      }
    } else if (array instanceof Tensor[]) {
      Tensor[] tensors = (Tensor[]) array;
      writeInt(tensors.length);
      for (Tensor tensor : tensors) {
        writeTensor(tensor);
      }
    } else {
      writePrimitives(array);
    }
  }

  private void writePrimitives(Object array) {
    if (array instanceof boolean[]) {
      boolean[] values = (boolean[]) array;
      writeInt(values.length);
      for (boolean value : values) {
        writeByte(value ? 1 : 0);
      }
    } else if (array instanceof long[]) {
      long[] values = (long[]) array;
      writeInt(values.length);
      for (long value : values) {
        writeLong(value);
      }
    } else {
      double[] values = (double[]) array;
      writeInt(values.length);
      for (double value : values) {
        writeDouble(value);
      }
    }
  }

  private void writeNamedTuple(IValue value) {
    IValue[] values = value.toTuple();
    writeInt(values.length);
    for (int i = 0; i < values.length; i++) {
      writeString(value.fieldNames().get(i));
      write(values[i]);
    }
  }

  private void writeDict(IValue dict) {
    Map<?, ?> map = (Map<?, ?>) dict.data();
    writeInt(map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      write(key(IValueChecks.notNull(entry.getKey(), "dict key")));
      write((IValue) IValueChecks.notNull(entry.getValue(), "value of dict key " + entry.getKey()));
    }
  }

  private static IValue key(Object key) {
    if (key instanceof String) {
      return IValue.from((String) key);
    }
    return key instanceof Long ? IValue.from((Long) key) : (IValue) key;
  }

  private void writeTensor(Tensor tensor) {
    long address = tensor.handle().enter();
    entered.add(tensor);
    writeLong(address);
  }

  private void writeString(String text) {
    byte[] utf8 = Utf8.encode(text);
    writeInt(utf8.length);
    reserve(utf8.length);
    System.arraycopy(utf8, 0, bytes, size, utf8.length);
    size += utf8.length;
  }

  private void writeByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  private void writeInt(int value) {
    reserve(4);
    data.putInt(size, value);
    size += 4;
  }

  private void writeLong(long value) {
    reserve(8);
    data.putLong(size, value);
    size += 8;
  }

  private void writeDouble(double value) {
    reserve(8);
    data.putDouble(size, value);
    size += 8;
  }

  private void reserve(int more) {
    if (more > bytes.length - size) {
      long wanted = Math.max((long) size + more, 2L * bytes.length);
      if ((long) size + more > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException(
            "arguments need more than 2^31 bytes; pass a tensor instead");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
      data = view(bytes);
    }
  }
}
