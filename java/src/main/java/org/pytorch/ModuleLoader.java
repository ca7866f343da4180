package org.pytorch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Loads modules: looks at what the file is, checks that it is whole, and only then asks libtorch.
 */
final class ModuleLoader {
  /** Name of the source in messages. */
  private final String name;

  private final LoadOptions options;

  /** The file, where it can be opened again later; null otherwise. */
  private final Path file;

  private ModuleLoader(String name, LoadOptions options) {
    this(name, options, null);
  }

  private ModuleLoader(String name, LoadOptions options, Path file) {
    this.name = name;
    this.file = file;
    this.options = IValueChecks.notNull(options, "options");
  }

  static Module fromFile(Path path, LoadOptions options) {
    Path file = IValueChecks.notNull(path, "path").toAbsolutePath();
    return new ModuleLoader("'" + file + "'", options, file).file(file);
  }

  /** The same from a file that will be gone. */
  static Module fromPassingFile(Path file, LoadOptions options) {
    return new ModuleLoader("'" + file + "'", options).file(file);
  }

  /**
   * Loads from a path as text. Under LC_ALL=C Java can name no file with other characters than
   * ASCII: then libtorch4j opens it by its UTF-8 bytes, and Java reads it through the open file.
   */
  static Module fromFile(String text, LoadOptions options) {
    Path path;
    try {
      path = Path.of(IValueChecks.notNull(text, "modelPath"));
    } catch (InvalidPathException e) {
      return new ModuleLoader("'" + text + "'", options).opened(text);
    }
    return fromFile(path, options);
  }

  static Module fromBuffer(ByteBuffer data, LoadOptions options) {
    IValueChecks.notNull(data, "data");
    ByteBuffer direct = data.isDirect() ? data.slice() : copy(data);
    String name = "from " + direct.capacity() + " bytes in memory";
    ModuleLoader loader = new ModuleLoader(name, options);
    try (ArchiveSource source = ArchiveSource.of(direct)) {
      return loader.load(source, null, direct);
    } catch (IOException e) {
      throw loader.failed(e.toString(), null);
    }
  }

  private static ByteBuffer copy(ByteBuffer data) {
    return ByteBuffer.allocateDirect(data.remaining()).put(data.duplicate()).flip();
  }

  private Module file(Path file) {
    if (file.getFileSystem() != FileSystems.getDefault()) {
      throw failed("it lies inside another file system, where libtorch cannot read it: use"
              + " Module.load(Files.newInputStream(path))",
          null);
    }
    if (!Files.exists(file)) {
      throw failed("no such file", null);
    }
    if (!Files.isRegularFile(file)) {
      throw failed("not a regular file", null);
    }
    try (ArchiveSource source = ArchiveSource.of(file)) {
      return load(source, FilePaths.bytes(file), null);
    } catch (IOException e) {
      throw failed(Files.isReadable(file) ? e.toString() : "no permission to read it", null);
    }
  }

  private Module opened(String text) {
    NativeLibrary.load();
    byte[] utf8 = Utf8.encode(text);
    if (text.indexOf('\0') >= 0) {
      throw failed("a path cannot hold NUL", null);
    }
    int descriptor = NativeTorch.openFile(utf8);
    if (descriptor < 0) {
      throw failed("no such file, or no permission to read it", null);
    }
    try {
      return file(Path.of("/proc/self/fd/" + descriptor));
    } finally {
      NativeTorch.closeFile(descriptor);
    }
  }

  private Module load(ArchiveSource source, byte[] path, ByteBuffer data) throws IOException {
    EarlyStart.begin();
    ModelFile file = ModelFile.of(source);
    ModelFile.Kind kind = file.kind();
    if (kind != ModelFile.Kind.TORCHSCRIPT) {
      throw failed("it is " + kind.text() + ". What to do: " + kind.advice(), null);
    }
    int depth = checked(source, file);
    TensorIntegrity tensors = tensors(source, file);
    if (NativeLibrary.loaded() == null) {
      PreparedClasses.prepare();
      NativeLibrary.load();
    }
    Module module;
    try {
      module = DeepStack.run(depth, new Supplier<>() { // no lambda: it would cost a cold start
        @Override
        public Module get() {
          return load(path, data, depth, tensors);
        }
      });
    } catch (LoadException e) {
      checkTensors(tensors, source); // the cause, where it is damage
      throw explained(e, source, file);
    }
    try {
      checkTensors(tensors, source);
    } catch (LoadException | IOException e) {
      module.close();
      throw e;
    }
    return module;
  }

  /**
   * Checks what libtorch will interpret: a damaged pickle or damaged code must not reach it.
   *
   * @return how deep the archive is nested
   */
  private int checked(ArchiveSource source, ModelFile file) throws IOException {
    int depth;
    try {
      if (options.checkIntegrity()) {
        ArchiveIntegrity.checkStructure(new ArchiveReader(source), file.entries());
      }
      depth = ArchiveDepth.of(source, file.entries());
    } catch (LoadException e) {
      throw failed(e.getMessage(), null);
    }
    if (depth > DeepStack.maxDepth()) {
      throw failed("it is nested " + depth + " deep, more than a stack can hold", null);
    }
    return depth;
  }

  /** Null when nothing is to be checked. */
  private TensorIntegrity tensors(ArchiveSource source, ModelFile file) throws IOException {
    if (!options.checkIntegrity()) {
      return null;
    }
    try {
      return new TensorIntegrity(new ArchiveReader(source), file.entries());
    } catch (LoadException e) {
      throw failed(e.getMessage(), null);
    }
  }

  private void checkTensors(TensorIntegrity tensors, ArchiveSource source) throws IOException {
    if (tensors == null) {
      return;
    }
    try {
      tensors.check(new ArchiveReader(source));
    } catch (LoadException e) {
      throw failed(e.getMessage(), null);
    }
  }

  private Module load(byte[] path, ByteBuffer data, int depth, TensorIntegrity tensors) {
    List<String> names = options.extraFiles();
    byte[][] asked = new byte[names.size()][];
    for (int i = 0; i < asked.length; i++) {
      asked[i] = Utf8.encode(names.get(i));
    }
    byte[][] contents = new byte[asked.length][];
    long[] spans = tensors == null ? new long[0] : tensors.spans();
    long[] crcs = tensors == null ? new long[0] : tensors.crcs();
    long address = NativeModule.load(
        path, data, options.device().jniCode, options.flags(), asked, contents, spans, crcs);
    return new Module(address, depth, extraFiles(names, contents), file);
  }

  private static Map<String, byte[]> extraFiles(List<String> names, byte[][] contents) {
    Map<String, byte[]> found = new LinkedHashMap<>();
    for (int i = 0; i < contents.length; i++) {
      if (contents[i] != null) {
        found.put(names.get(i), contents[i]);
      }
    }
    return Collections.unmodifiableMap(found);
  }

  /** Names the source, and all missing operators where that is why libtorch failed. */
  private LoadException explained(LoadException e, ArchiveSource source, ModelFile file)
      throws IOException {
    List<String> missing = ModelOperators.missing(source, file.entries());
    if (missing.isEmpty()) {
      return failed(e.getMessage(), e);
    }
    return failed("libtorch " + Torch.version() + " has no operator " + String.join(", ", missing)
            + (". Load the library that has them first: Torch.loadLibrary(path), or save the model "
                + "with")
            + " an earlier torch",
        e);
  }

  private LoadException failed(String reason, LoadException cause) {
    String message = "cannot load model " + name + ": " + reason;
    LoadException failure = cause == null
        ? new LoadException(message)
        : new LoadException(message, cause.scriptTrace(), cause.nativeTrace());
    if (cause != null) {
      failure.initCause(cause);
    }
    return failure;
  }
}
