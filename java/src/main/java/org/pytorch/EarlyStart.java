package org.pytorch;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Loads the library on a thread of its own, from the moment on that a program will need it. Mapping
 * libtorch and its static initializers are most of a cold start; meanwhile the caller looks at the
 * archive and makes classes ready (see PreparedClasses). Whoever needs the library calls {@link
 * NativeLibrary#load()}, which waits, and throws what went wrong.
 *
 * <p>Afterwards the thread serves as one of {@link DeepStack} and loads the model, with the heap
 * that was made ready for it. A JVM that ends meanwhile waits for it: libtorch's destructors, which
 * run at the end of the process, must not meet its initializers.
 */
final class EarlyStart implements Runnable {
  private static boolean begun;

  private final String model;

  private EarlyStart(String model) {
    this.model = model;
  }

  /** Begins, where a model is to be loaded that is there. */
  static void begin(String path) {
    if (NativeLibrary.loaded() == null && path != null && new File(path).isFile()) {
      start(path);
    }
  }

  /** Begins. */
  static void begin() {
    if (NativeLibrary.loaded() == null) {
      start(null);
    }
  }

  private static synchronized void start(String model) {
    if (begun) {
      return;
    }
    begun = true;
    Thread thread =
        new Thread(null, new EarlyStart(model), "torch4j loader", DeepStack.BASE_BYTES, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  @Override
  public void run() {
    try {
      linkMemory();
      if (model != null) {
        linkFiles(Path.of(model));
      }
    } catch (IOException | DataFormatException | RuntimeException e) {
      // Told by the caller, who is about to read the same file.
    }
    try {
      load();
      DeepStack.serve();
    } catch (RuntimeException | Error e) {
      // Remembered, and thrown where the library is needed; or the JVM is ending.
    }
  }

  private static void load() {
    Thread atExit = new Thread(null, new AtExit(), "torch4j at exit", 0, false);
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      NativeLibrary.load();
    } finally {
      Runtime.getRuntime().removeShutdownHook(atExit);
    }
  }

  /** Waits for the library to be loaded. */
  private static final class AtExit implements Runnable {
    @Override
    public void run() {
      try {
        NativeLibrary.load();
      } catch (RuntimeException | Error e) {
        // Of no interest any more.
      }
    }
  }

  /**
   * Calls the native methods of the JDK that reading an archive needs, once. While the dynamic
   * linker maps libtorch it holds its lock, and a native method that is called for the first time
   * waits for it.
   */
  private static void linkMemory() throws DataFormatException {
    ByteBuffer direct = ByteBuffer.allocateDirect(1);
    CRC32 crc = new CRC32();
    crc.update(direct.duplicate());
    crc.update(new byte[1], 0, 1);
    Inflater inflater = new Inflater(true);
    inflater.setInput(direct);
    inflater.inflate(new byte[1]);
    inflater.end();
    Object array = Array.newInstance(Object.class, Array.getLength(new Object[0]));
    Object[].class.isInstance(array);
  }

  private static void linkFiles(Path file) throws IOException {
    if (Files.exists(file) && Files.isRegularFile(file)) {
      try (ArchiveSource source = ArchiveSource.of(file)) {
        source.bytes(0, 1);
      }
    }
  }
}
