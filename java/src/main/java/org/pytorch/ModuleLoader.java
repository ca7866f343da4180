package org.pytorch;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Loads modules, after looking at the file. */
final class ModuleLoader {
  private ModuleLoader() {}

  static Module fromFile(Path path, LoadOptions options) {
    IValueChecks.notNull(path, "path");
    Path file = path.toAbsolutePath();
    if (!Files.exists(file)) {
      throw new LoadException("cannot load model '" + file + "': no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw new LoadException("cannot load model '" + file + "': not a regular file");
    }
    if (!Files.isReadable(file)) {
      throw new LoadException("cannot load model '" + file + "': no permission to read it");
    }
    return load(FilePaths.bytes(file), null, options);
  }

  static Module fromBuffer(ByteBuffer data, LoadOptions options) {
    IValueChecks.notNull(data, "data");
    ByteBuffer direct = data.isDirect() ? data.slice() : copy(data);
    return load(null, direct, options);
  }

  private static ByteBuffer copy(ByteBuffer data) {
    return ByteBuffer.allocateDirect(data.remaining()).put(data.duplicate()).flip();
  }

  private static Module load(byte[] path, ByteBuffer data, LoadOptions options) {
    IValueChecks.notNull(options, "options");
    NativeLibrary.load();
    List<String> names = options.extraFiles();
    byte[][] asked = new byte[names.size()][];
    for (int i = 0; i < asked.length; i++) {
      asked[i] = Utf8.encode(names.get(i));
    }
    byte[][] contents = new byte[asked.length][];
    long address =
        NativeModule.load(path, data, options.device().jniCode, options.flags(), asked, contents);
    return new Module(address, extraFiles(names, contents));
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
}
