import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.pytorch.IValue;
import org.pytorch.LoadOptions;
import org.pytorch.ModelFile;
import org.pytorch.Module;
import org.pytorch.Tensor;

/** Arguments for wrong calls: null, empty, negative, huge, closed, and now and then a right one. */
final class FuzzValues {
  private static final long[] LONGS = {
      0, 1, -1, 2, 4, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40};
  private static final String[] STRINGS = {
      "", "forward", "weight", "a\0b", "\ud800", "/no/such", ".", "x.y.z", "cpu"};

  private final Random random;
  private final Path model;

  FuzzValues(Random random, Path model) {
    this.random = random;
    this.model = model;
  }

  private long number() {
    return LONGS[random.nextInt(LONGS.length)];
  }

  private Object array(Class<?> element) {
    // Longs are shapes most of the time: short, and with numbers that may be anything.
    Object array = Array.newInstance(element, random.nextInt(5));
    for (int i = 0; i < Array.getLength(array); i++) {
      Object value = of(element);
      if (value != null || !element.isPrimitive()) {
        Array.set(array, i, value);
      }
    }
    return array;
  }

  private Tensor tensor() {
    Tensor tensor = random.nextBoolean() ? Tensor.fromBlob(new float[4], new long[] {1, 4})
                                         : Tensor.fromBlobUnsigned(new byte[0], new long[] {0, 3});
    if (random.nextInt(4) == 0) {
      tensor.close();
    }
    return tensor;
  }

  private Module module() {
    Module module = Module.load(model);
    if (random.nextInt(4) == 0) {
      module.close();
    }
    return module;
  }

  private IValue value() {
    switch (random.nextInt(6)) {
      case 0:
        return IValue.optionalNull();
      case 1:
        return IValue.from(STRINGS[random.nextInt(STRINGS.length)]);
      case 2:
        return IValue.listOf(List.of(IValue.from(1), IValue.from("x")));
      case 3:
        return IValue.from(number());
      default:
        return IValue.from(tensor());
    }
  }

  private <T> Map<T, IValue> map(T key) {
    Map<T, IValue> map = new HashMap<>();
    if (random.nextBoolean()) {
      map.put(key, random.nextInt(3) == 0 ? null : value());
    }
    return map;
  }

  private ByteBuffer bytes() {
    ByteBuffer bytes =
        random.nextBoolean() ? ByteBuffer.allocateDirect(16) : ByteBuffer.allocate(16);
    bytes.position(random.nextInt(16));
    return random.nextBoolean() ? bytes : bytes.order(java.nio.ByteOrder.nativeOrder());
  }

  /** A value of a type; null one time in eight, for types that have one. */
  Object of(Class<?> type) {
    if (!type.isPrimitive() && random.nextInt(8) == 0) {
      return null;
    }
    if (type.isArray()) {
      return array(type.getComponentType());
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
    }
    return type.isPrimitive() ? primitive(type) : object(type);
  }

  private Object primitive(Class<?> type) {
    long number = number();
    if (type == boolean.class) {
      return number > 0;
    } else if (type == byte.class) {
      return (byte) number;
    } else if (type == short.class) {
      return (short) number;
    } else if (type == int.class) {
      return (int) number;
    } else if (type == float.class) {
      return (float) number;
    }
    return type == double.class ? (Object) (double) number : (Object) number;
  }

  private Object object(Class<?> type) {
    if (type == Tensor.class || type.getSimpleName().equals("TensorFactories")) {
      return tensor();
    } else if (type == Module.class) {
      return module();
    } else if (type == IValue.class) {
      return value();
    } else if (type == String.class) {
      return STRINGS[random.nextInt(STRINGS.length)];
    } else if (type == Map.class) {
      return map(random.nextBoolean() ? "x" : random.nextBoolean() ? (Object) 1L : value());
    } else if (type == List.class) {
      List<IValue> list = new ArrayList<>();
      list.add(random.nextInt(3) == 0 ? null : value());
      return list;
    } else if (type == Path.class) {
      return random.nextInt(4) == 0 ? model : Path.of("/no/such");
    } else if (type == LoadOptions.class) {
      return LoadOptions.defaults();
    } else if (type == ModelFile.class) {
      return ModelFile.of(model);
    } else if (type == InputStream.class) {
      return new ByteArrayInputStream(new byte[random.nextInt(3)]);
    } else if (type == Class.class) {
      return random.nextBoolean() ? ByteBuffer.class : String.class;
    } else if (type == Object.class) {
      return random.nextBoolean() ? array(float.class) : "text";
    }
    return buffer(type);
  }

  private Object buffer(Class<?> type) {
    if (type == IntBuffer.class) {
      return bytes().asIntBuffer();
    } else if (type == LongBuffer.class) {
      return bytes().asLongBuffer();
    } else if (type == FloatBuffer.class) {
      return bytes().asFloatBuffer();
    }
    return type == DoubleBuffer.class ? (Object) bytes().asDoubleBuffer() : bytes();
  }
}
