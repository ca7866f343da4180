package org.pytorch;

import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A TorchScript model, in eval mode.
 *
 * <p>Close it, or leave it to the GC. After {@link #close()} every call throws
 * IllegalStateException; calls that are inside finish. A model may be called from any number of
 * threads at once, unless it writes its own attributes: then give each thread a {@link #copy()}.
 * Calls run on the caller's thread, in inference mode.
 *
 * <p>Import it by name, {@code import org.pytorch.Module;}: java.lang has a Module too.
 */
public class Module implements AutoCloseable {
  private final ModuleHandle handle;
  private final Map<String, byte[]> extraFiles;
  private final Map<String, ScriptMethod> methods = new ConcurrentHashMap<>();
  /** Where it was loaded from; null when that was no file. */
  private final Path path;
  /** Nesting of the model: what its first calls need of stack. */
  private final int depth;
  private ScriptMethod forward;

  Module(long address, int depth, Map<String, byte[]> extraFiles, Path path) {
    this.depth = depth;
    this.path = path;
    this.handle = NativeHandle.adoptModule(this, address);
    TensorScope.enlist(handle);
    this.extraFiles = extraFiles;
  }

  /**
   * Loads a model from a file, with extra files: each key of the map is asked for and gets its
   * content as text, or "" where the archive lacks it.
   *
   * @param modelPath path of a TorchScript archive
   * @param extraFiles names asked for, and filled; null for none
   * @param device where the parameters go
   * @return the model
   * @throws LoadException when the file is missing, unreadable, or no TorchScript
   * @throws IllegalArgumentException when libtorch lacks the device
   */
  public static Module load(String modelPath, Map<String, String> extraFiles, Device device) {
    EarlyStart.begin(modelPath);
    String[] names =
        extraFiles == null ? new String[0] : extraFiles.keySet().toArray(new String[0]);
    LoadOptions options = LoadOptions.defaults().withDevice(device).withExtraFiles(names);
    Module module = ModuleLoader.fromFile(modelPath, options);
    try {
      for (String name : names) {
        byte[] content = module.extraFiles.getOrDefault(name, new byte[0]);
        extraFiles.put(name, new String(content, StandardCharsets.UTF_8));
      }
      return module;
    } catch (RuntimeException e) {
      module.close();
      throw e;
    }
  }

  /**
   * Loads a model from a file onto the CPU.
   *
   * @param modelPath path of a TorchScript archive
   * @return the model
   * @throws LoadException when the file is missing, unreadable, or no TorchScript
   */
  public static Module load(String modelPath) {
    EarlyStart.begin(modelPath);
    return ModuleLoader.fromFile(modelPath, LoadOptions.defaults());
  }

  /**
   * Loads a model from a file onto the CPU.
   *
   * @param path path of a TorchScript archive
   * @return the model
   * @throws LoadException when the file is missing, unreadable, or no TorchScript
   */
  public static Module load(Path path) {
    return load(path, LoadOptions.defaults());
  }

  /**
   * Loads a model from a file.
   *
   * @param path path of a TorchScript archive
   * @param options device, extra files, freezing
   * @return the model
   * @throws LoadException when the file is missing, unreadable, or no TorchScript
   * @throws IllegalArgumentException when libtorch lacks the device
   */
  public static Module load(Path path, LoadOptions options) {
    return ModuleLoader.fromFile(path, options);
  }

  /**
   * Loads a model from the bytes of an archive.
   *
   * @param data the whole file
   * @return the model
   * @throws LoadException when it is no TorchScript
   */
  public static Module load(byte[] data) {
    return load(data, LoadOptions.defaults());
  }

  /**
   * Loads a model from the bytes of an archive.
   *
   * @param data the whole file
   * @param options device, extra files, freezing
   * @return the model
   * @throws LoadException when it is no TorchScript
   */
  public static Module load(byte[] data, LoadOptions options) {
    return load(ByteBuffer.wrap(IValueChecks.notNull(data, "data")), options);
  }

  /**
   * Loads a model from the remaining bytes of a buffer; a direct one is not copied first.
   *
   * @param data the whole file, from position to limit, which stay as they are
   * @return the model
   * @throws LoadException when it is no TorchScript
   */
  public static Module load(ByteBuffer data) {
    return load(data, LoadOptions.defaults());
  }

  /**
   * Loads a model from the remaining bytes of a buffer; a direct one is not copied first.
   *
   * @param data the whole file, from position to limit, which stay as they are
   * @param options device, extra files, freezing
   * @return the model
   * @throws LoadException when it is no TorchScript
   */
  public static Module load(ByteBuffer data, LoadOptions options) {
    return ModuleLoader.fromBuffer(data, options);
  }

  /**
   * Loads a model from a stream, such as a class-path resource. The stream is read to its end and
   * left open.
   *
   * @param in the whole file
   * @return the model
   * @throws LoadException when it is no TorchScript
   * @throws UncheckedIOException when reading fails
   */
  public static Module load(InputStream in) {
    return load(in, LoadOptions.defaults());
  }

  /**
   * Loads a model from a stream, such as a class-path resource. The stream is read to its end and
   * left open.
   *
   * @param in the whole file
   * @param options device, extra files, freezing
   * @return the model
   * @throws LoadException when it is no TorchScript
   * @throws UncheckedIOException when reading fails
   */
  public static Module load(InputStream in, LoadOptions options) {
    return StreamLoader.load(IValueChecks.notNull(in, "in"), options);
  }

  /**
   * Runs {@code forward}.
   *
   * @param inputs the arguments by position; trailing ones may be left out where the schema has
   *     defaults
   * @return what the model returns; None is {@code isNull()}
   * @throws SchemaException when the arguments do not fit the schema
   * @throws ScriptException when the model raises, or an operator fails
   * @throws IllegalStateException when closed
   */
  public IValue forward(IValue... inputs) {
    IValueChecks.elements(inputs, "inputs");
    int place = handle.join();
    try {
      return forwardMethod().run(inputs);
    } finally {
      leave(place);
    }
  }

  /**
   * Runs {@code forward} of a model that takes a tensor and returns one.
   *
   * @param input the argument
   * @return the tensor returned
   * @throws IllegalStateException when the model returns something else, or when closed
   */
  public Tensor forward(Tensor input) {
    IValueChecks.notNull(input, "input");
    int place = handle.join();
    try {
      return forwardMethod().run(input);
    } finally {
      leave(place);
    }
  }

  /**
   * Runs {@code forward} and copies what it returns into tensors that the caller keeps: in a loop
   * that reads its results through {@link Tensor#asByteBuffer()} or a direct buffer, nothing is
   * made per call.
   *
   * @param inputs the arguments by position
   * @param outputs as many as the model returns tensors (one, or a tuple or list of them), each of
   *     the dtype and shape that comes
   * @throws IllegalArgumentException when number, dtype or shape are others; nothing is written
   *     then
   * @throws IllegalStateException when the model returns something else, or when closed
   */
  public void forward(Tensor[] inputs, Tensor[] outputs) {
    IValueChecks.elements(inputs, "inputs");
    IValueChecks.elements(outputs, "outputs");
    int place = handle.join();
    try {
      forwardMethod().run(inputs, outputs);
    } finally {
      leave(place);
    }
  }

  /**
   * Runs a method.
   *
   * @param methodName its name
   * @param inputs the arguments by position
   * @return what the method returns
   * @throws IllegalArgumentException when the model has no such method
   */
  public IValue runMethod(String methodName, IValue... inputs) {
    IValueChecks.elements(inputs, "inputs");
    int place = handle.join();
    try {
      return method(methodName).run(inputs);
    } finally {
      leave(place);
    }
  }

  /**
   * Runs a method with arguments by position and by name.
   *
   * @param methodName its name
   * @param args the first arguments, by position
   * @param kwargs further arguments, by name
   * @return what the method returns
   * @throws IllegalArgumentException when the model has no such method
   * @throws SchemaException when the arguments do not fit the schema
   */
  public IValue call(String methodName, List<IValue> args, Map<String, IValue> kwargs) {
    IValueChecks.elements(IValueChecks.notNull(args, "args").toArray(), "args");
    IValueChecks.notNull(kwargs, "kwargs");
    int place = handle.join();
    try {
      return method(methodName).run(args, kwargs);
    } finally {
      leave(place);
    }
  }

  /**
   * Names of the methods that can be run.
   *
   * @return names, in the order of the model's code
   */
  public List<String> methods() {
    return strings(NativeCodes.VALUES_METHODS);
  }

  /**
   * Signature of a method.
   *
   * @param methodName its name
   * @return the schema
   * @throws IllegalArgumentException when the model has no such method
   */
  public MethodSchema schema(String methodName) {
    handle.enter();
    try {
      return method(methodName).schema();
    } finally {
      exit();
    }
  }

  /**
   * Operators that the code of the model calls, such as {@code aten::linear}.
   *
   * @return sorted names with overload, each once
   */
  public List<String> operators() {
    return strings(NativeCodes.VALUES_OPERATORS);
  }

  /**
   * Parameters of the model and its submodules, by dotted name.
   *
   * @return new tensors on the model's memory, in the model's order
   */
  public Map<String, Tensor> parameters() {
    return tensors(NativeCodes.VALUES_PARAMETERS);
  }

  /**
   * Buffers of the model and its submodules, by dotted name.
   *
   * @return new tensors on the model's memory, in the model's order
   */
  public Map<String, Tensor> buffers() {
    return tensors(NativeCodes.VALUES_BUFFERS);
  }

  /**
   * An attribute.
   *
   * @param name its name; dots lead into submodules
   * @return its value
   * @throws IllegalArgumentException when there is none of that name, or when it is a submodule
   */
  public IValue attribute(String name) {
    byte[] utf8 = Utf8.encode(IValueChecks.notNull(name, "name"));
    long address = handle.enter();
    try {
      return ValueReader.read(NativeModule.attribute(address, utf8));
    } finally {
      exit();
    }
  }

  /**
   * The extra files that {@link LoadOptions#withExtraFiles} asked for and that the archive has; a
   * missing one is left out, an empty one is empty.
   *
   * @return an unmodifiable map from name to content
   */
  public Map<String, byte[]> extraFiles() {
    return extraFiles;
  }

  /**
   * What {@code torch4j export} wrote about the model: dtypes and ranges of sizes of its arguments,
   * names of its results. Read from the model's file, or, for a model from a stream or from memory,
   * from the extra file {@code torch4j.json} when it was asked for ({@link
   * LoadOptions#withExtraFiles}).
   *
   * @return the signature
   * @throws IllegalStateException when the file was not written by torch4j export, or is not to be
   *     had
   * @throws LoadException when it cannot be read any more
   */
  public Signature signature() {
    return Signature.read(stored(Signature.FILE));
  }

  /**
   * Runs the example calls that {@code torch4j export} stored in the model's file and compares the
   * results with Python's, bit by bit: proof, at the start of an application, that this machine
   * answers as Python did. Runs on copies of this module and with one intra-op thread, as export
   * did; meanwhile, other threads have one too.
   *
   * @return what came out, call by call
   * @throws IllegalStateException when the file holds no examples, or is not to be had (see {@link
   *     #signature()}; the extra file is {@code torch4j.examples.pt})
   */
  public SelfTest selfTest() {
    return SelfTest.of(this, signature(), stored(SelfTest.FILE));
  }

  private byte[] stored(String name) {
    byte[] content = extraFiles.get(name);
    if (content == null && path != null) {
      content = ModelFile.extraFile(path, name).orElse(null);
    }
    if (content == null) {
      throw new IllegalStateException("the model has no " + name + ": "
          + (path == null ? "it was not loaded from a file; ask for it with "
                      + "LoadOptions.withExtraFiles(\"" + name + "\")"
                          : "write its file with torch4j export"));
    }
    return content;
  }

  /**
   * A copy with parameters, buffers and attributes of its own.
   *
   * @return a new module, to be closed separately
   */
  public Module copy() {
    long address = handle.enter();
    try {
      return DeepStack.run(
          depth, () -> new Module(NativeModule.copy(address), depth, extraFiles, path));
    } finally {
      exit();
    }
  }

  /** The official name of {@link #close()}. */
  public void destroy() {
    close();
  }

  /**
   * Closes: native memory is freed when no call is inside any more. Does nothing when closed
   * already.
   */
  @Override
  public void close() {
    handle.close();
  }

  /**
   * Whether {@link #close()} was called.
   *
   * @return true from close on
   */
  public boolean isClosed() {
    return handle.isClosed();
  }

  NativeHandle handle() {
    return handle;
  }

  private ScriptMethod forwardMethod() {
    ScriptMethod known = forward;
    if (known == null) {
      known = method("forward");
      forward = known;
    }
    return known;
  }

  /** Looked up while the handle is entered. */
  private ScriptMethod method(String name) {
    String wanted = IValueChecks.notNull(name, "methodName");
    ScriptMethod known = methods.get(wanted);
    return known != null ? known : methods.computeIfAbsent(wanted, new Function<>() {
      @Override public ScriptMethod apply(String name) { // no lambda: it would cost a cold start
        return lookUp(name);
      }
    });
  }

  private ScriptMethod lookUp(String name) {
    long module = handle.enter();
    try {
      long method = NativeModule.method(module, Utf8.encode(name));
      if (method == 0) {
        throw new IllegalArgumentException(
            "Undefined method " + name + ". The model has " + methods());
      }
      return new ScriptMethod(method, depth);
    } finally {
      exit();
    }
  }

  private List<String> strings(int which) {
    List<String> strings = new ArrayList<>();
    for (IValue value : values(which).toList()) {
      strings.add(value.toStr());
    }
    return strings;
  }

  private Map<String, Tensor> tensors(int which) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    values(which).toDictStringKey().forEach((name, value) -> tensors.put(name, value.toTensor()));
    return tensors;
  }

  private IValue values(int which) {
    long address = handle.enter();
    try {
      return ValueReader.read(NativeModule.values(address, which));
    } finally {
      exit();
    }
  }

  /**
   * Leaves the handle, and keeps this reachable up to here: the GC net must not close it
   * meanwhile.
   */
  private void exit() {
    handle.exit();
    Reference.reachabilityFence(this);
  }

  private void leave(int place) {
    handle.leave(place);
    Reference.reachabilityFence(this);
  }
}
