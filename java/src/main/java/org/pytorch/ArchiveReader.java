package org.pytorch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads members of an archive. */
final class ArchiveReader {
  private static final int LOCAL_HEADER = 0x04034b50;
  private static final int LOCAL_HEADER_SIZE = 30;
  private static final int CHUNK = 1
      << 18; // stays in the second-level cache between reading and CRC

  /**
   * Direct buffers, so that neither reading nor CRC32 copies once more. Kept for reuse: only the GC
   * gives them back, and a program that loads often would wait for it.
   */
  private static final Queue<ByteBuffer> CHUNKS = new ConcurrentLinkedQueue<>();

  private final ArchiveSource source;

  ArchiveReader(ArchiveSource source) {
    this.source = source;
  }

  /** Takes a part of a member. No lambdas here: their first use would make a cold start wait. */
  private interface Sink {
    void accept(ByteBuffer part);
  }

  /**
   * Reads a member and compares the CRC that the directory holds.
   *
   * @throws LoadException naming the member
   */
  void check(ArchiveMember member) throws IOException {
    CRC32 crc = new CRC32();
    stream(member, new Sink() {
      @Override
      public void accept(ByteBuffer part) {
        crc.update(part);
      }
    });
    compare(member, crc.getValue());
  }

  static void compare(ArchiveMember member, long crc) {
    if (crc != member.crc) {
      throw damaged(
          member, String.format("its CRC is %08x, the archive says %08x", crc, member.crc));
    }
  }

  /** A small member as a whole. */
  byte[] content(ArchiveMember member) throws IOException {
    if (member.size > Integer.MAX_VALUE - 8) {
      throw damaged(member, "it is too large");
    }
    ByteBuffer whole = ByteBuffer.allocate((int) member.size);
    stream(member, new Sink() {
      @Override
      public void accept(ByteBuffer part) {
        if (part.remaining() > whole.remaining()) {
          throw damaged(member, "it is larger than the archive says");
        }
        whole.put(part);
      }
    });
    return whole.array();
  }

  private void stream(ArchiveMember member, Sink to) throws IOException {
    long start = dataStart(member);
    if (start + member.compressedSize > source.size()) {
      throw damaged(member, "it ends behind the end of the file");
    }
    if (member.method == ArchiveMember.STORED) {
      raw(start, member.compressedSize, to);
    } else if (member.method == ArchiveMember.DEFLATED) {
      inflate(member, start, to);
    } else {
      throw damaged(member, "compression method " + member.method + " is none that torch writes");
    }
  }

  /** Where the content of a member starts, behind its local header. */
  long dataStart(ArchiveMember member) throws IOException {
    ByteBuffer header = source.bytes(member.offset, LOCAL_HEADER_SIZE);
    if (header.remaining() < LOCAL_HEADER_SIZE || header.getInt(0) != LOCAL_HEADER) {
      throw damaged(member, "it is not where the directory says");
    }
    return member.offset + LOCAL_HEADER_SIZE + (header.getShort(26) & 0xffff)
        + (header.getShort(28) & 0xffff);
  }

  private void raw(long start, long size, Sink to) throws IOException {
    ByteBuffer idle = CHUNKS.poll();
    ByteBuffer chunk = idle == null ? ByteBuffer.allocateDirect(CHUNK) : idle;
    try {
      for (long done = 0; done < size;) {
        chunk.clear().limit((int) Math.min(CHUNK, size - done));
        source.read(start + done, chunk);
        done += chunk.position();
        to.accept(chunk.flip());
      }
    } finally {
      CHUNKS.offer(chunk);
    }
  }

  private void inflate(ArchiveMember member, long start, Sink to) throws IOException {
    Inflater inflater = new Inflater(true);
    byte[] out = new byte[CHUNK];
    try {
      raw(start, member.compressedSize, new Sink() {
        @Override
        public void accept(ByteBuffer part) {
          inflater.setInput(part);
          inflateAll(member, inflater, out, to);
        }
      });
    } finally {
      inflater.end();
    }
  }

  private static void inflateAll(ArchiveMember member, Inflater inflater, byte[] out, Sink to) {
    try {
      for (int got = inflater.inflate(out); got > 0; got = inflater.inflate(out)) {
        to.accept(ByteBuffer.wrap(out, 0, got));
      }
    } catch (DataFormatException e) {
      throw damaged(member, "its compressed data is broken: " + e.getMessage());
    }
  }

  private static LoadException damaged(ArchiveMember member, String how) {
    return new LoadException("the archive is damaged: member '" + member.name + "': " + how);
  }
}
