package org.pytorch;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The bytes of a model, in a file or in memory, read at any position. */
abstract class ArchiveSource implements Closeable {
  abstract long size() throws IOException;

  /** Fills the buffer as far as there are bytes from that position on. */
  abstract void read(long position, ByteBuffer into) throws IOException;

  /** A little-endian buffer of up to so many bytes from a position on. */
  ByteBuffer bytes(long position, int count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    if (position >= 0 && position < size()) {
      read(position, buffer);
    }
    return buffer.flip();
  }

  static ArchiveSource of(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    return new ArchiveSource() {
      @Override
      long size() throws IOException {
        return channel.size();
      }

      @Override
      void read(long position, ByteBuffer into) throws IOException {
        long at = position;
        for (int got = 0; got >= 0 && into.hasRemaining(); at += got) {
          got = channel.read(into, at);
        }
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  static ArchiveSource of(ByteBuffer data) {
    ByteBuffer whole = data.slice();
    return new ArchiveSource() {
      @Override
      long size() {
        return whole.capacity();
      }

      @Override
      void read(long position, ByteBuffer into) {
        int count = (int) Math.min(into.remaining(), whole.capacity() - position);
        into.put(whole.duplicate().position((int) position).limit((int) position + count));
      }

      @Override
      public void close() {}
    };
  }
}
