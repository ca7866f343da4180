package org.pytorch;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A method of a loaded module, looked up once. Its native side lives as long as the module.
 *
 * <p>Tensors in and one tensor out, as the schema tells, cross as bare addresses; everything else
 * goes through {@link ValueWriter} and {@link ValueReader}.
 */
final class ScriptMethod {
  /** The first call profiles, the second compiles what was seen; one more for good measure. */
  private static final int COMPILING_CALLS = 3;

  private final long address;
  private final MethodSchema schema;
  private final boolean returnsTensor;
  /** So many tensors alone are a complete call; the first is above the second when none are. */
  private final long minTensors;

  private final long maxTensors;
  private final int depth;
  /** How many of the first calls, which compile the method, are still to come. */
  private volatile int compiling = COMPILING_CALLS;

  ScriptMethod(long address, int depth) {
    this.address = address;
    this.depth = depth;
    IValue described = ValueReader.read(NativeModule.schema(address));
    IValue[] fields = described.toTuple();
    this.schema = MethodSchema.of(described);
    this.returnsTensor = fields[4].toBool();
    this.minTensors = fields[5].toLong();
    this.maxTensors = fields[6].toLong();
  }

  MethodSchema schema() {
    return schema;
  }

  IValue run(IValue[] inputs) {
    return compiling > 0 ? compile(new Supplier<>() { // no lambda: it would cost a cold start
      @Override
      public IValue get() {
        return runNow(inputs);
      }
    })
                         : runNow(inputs);
  }

  IValue run(List<IValue> positional, Map<String, IValue> named) {
    return compiling > 0 ? compile(() -> runNow(positional, named)) : runNow(positional, named);
  }

  /** The shortest way: one tensor in, one tensor out. */
  Tensor run(Tensor input) {
    return compiling > 0 ? compile(new Supplier<>() { // no lambda: it would cost a cold start
      @Override
      public Tensor get() {
        return runNow(input);
      }
    })
                         : runNow(input);
  }

  /** Into tensors of the caller. */
  void run(Tensor[] inputs, Tensor[] outputs) {
    IValue[] arguments = new IValue[inputs.length];
    for (int i = 0; i < inputs.length; i++) {
      arguments[i] = IValue.from(inputs[i]);
    }
    IValue result = run(arguments);
    List<Tensor> found = new ArrayList<>();
    result.forEachTensor(found::add);
    try {
      assign(outputs, result, found);
    } finally {
      found.forEach(Tensor::close);
    }
  }

  private void assign(Tensor[] outputs, IValue result, List<Tensor> found) {
    boolean flat = result.isTensor() || result.isTensorList()
        || ((result.isTuple() || result.isNamedTuple())
            && Arrays.stream(result.toTuple()).allMatch(IValue::isTensor));
    if (!flat) {
      throw new IllegalStateException("Expected IValue type Tensor, or a tuple or list of them,"
          + " actual type " + result.kind().text);
    }
    if (found.size() != outputs.length) {
      throw new IllegalArgumentException("outputs: the model returned " + found.size()
          + " tensors, the array has " + outputs.length);
    }
    long[] to = new long[outputs.length];
    long[] from = new long[outputs.length];
    int entered = 0;
    try {
      for (; entered < to.length; entered++) {
        to[entered] = outputs[entered].handle().enter();
        from[entered] = found.get(entered).handle().address(); // nobody else has it yet
      }
      NativeTensor.assign(to, from);
    } finally {
      while (entered > 0) {
        outputs[--entered].handle().exit();
      }
      Reference.reachabilityFence(outputs);
      Reference.reachabilityFence(found);
    }
  }

  private <T> T compile(Supplier<T> call) {
    T result = DeepStack.run(depth, call);
    // A race loses a count at worst: then one more call takes the long way.
    compiling = compiling - 1;
    return result;
  }

  private IValue runNow(IValue[] inputs) {
    if (allTensors(inputs)) {
      long result = runTensors(inputs);
      return result == 0 ? IValue.optionalNull() : IValue.from(Tensor.adopt(result));
    }
    return runNow(Arrays.asList(inputs), Map.of());
  }

  private IValue runNow(List<IValue> positional, Map<String, IValue> named) {
    byte[] result;
    try (ValueWriter writer = new ValueWriter()) {
      writer.arguments(positional, named);
      result = NativeModule.run(address, writer.bytes(), writer.size());
    }
    return ValueReader.read(result);
  }

  private Tensor runNow(Tensor input) {
    if (!returnsTensor || !takes(1)) {
      return runNow(List.of(IValue.from(input)), Map.of()).toTensor();
    }
    long tensor = input.handle().enter();
    long result;
    try {
      result = NativeModule.run1(address, tensor);
    } finally {
      input.handle().exit();
      Reference.reachabilityFence(input);
    }
    if (result == 0) {
      throw new IllegalStateException("Expected IValue type Tensor, actual type Null");
    }
    return Tensor.adopt(result);
  }

  private boolean takes(int tensors) {
    return tensors >= minTensors && tensors <= maxTensors;
  }

  private boolean allTensors(IValue[] inputs) {
    if (!returnsTensor || !takes(inputs.length)) {
      return false;
    }
    for (IValue input : inputs) {
      if (!input.isTensor()) {
        return false;
      }
    }
    return true;
  }

  private long runTensors(IValue[] inputs) {
    int entered = 0;
    try {
      long[] tensors = new long[inputs.length];
      while (entered < inputs.length) {
        tensors[entered] = inputs[entered].toTensor().handle().enter();
        entered++;
      }
      return runAddresses(tensors);
    } finally {
      while (entered > 0) {
        inputs[--entered].toTensor().handle().exit();
      }
      Reference.reachabilityFence(inputs);
    }
  }

  private long runAddresses(long[] tensors) {
    switch (tensors.length) {
      case 1:
        return NativeModule.run1(address, tensors[0]);
      case 2:
        return NativeModule.run2(address, tensors[0], tensors[1]);
      default:
        return NativeModule.runAll(address, tensors);
    }
  }
}
