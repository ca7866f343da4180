package org.pytorch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the directory of a zip archive (PKWARE APPNOTE 6.3, sections 4.3.12 to 4.3.16, zip64
 * included).
 *
 * <p>java.util.zip.ZipFile would need a file, and the models may be in memory.
 */
final class ArchiveDirectory {
  private static final int END = 0x06054b50;
  private static final int END_SIZE = 22;
  private static final int END64 = 0x06064b50;
  private static final int LOCATOR64_SIZE = 20;
  private static final int ENTRY = 0x02014b50;
  private static final int ENTRY_SIZE = 46;
  private static final long IN_ZIP64 = 0xffffffffL;
  private static final int MAX_COMMENT = 0xffff;

  private ArchiveDirectory() {}

  /**
   * Lists the members.
   *
   * @throws LoadException saying what is wrong with the directory
   */
  static List<ArchiveMember> read(ArchiveSource source) throws IOException {
    long size = source.size();
    int tail = (int) Math.min(size, END_SIZE + MAX_COMMENT);
    ByteBuffer end = source.bytes(size - tail, tail);
    int at = tail - END_SIZE;
    while (at >= 0 && end.getInt(at) != END) {
      at--;
    }
    if (at < 0) {
      throw new LoadException(
          "the archive is truncated: its directory, at the end of the file, is missing");
    }
    long length = end.getInt(at + 12) & IN_ZIP64;
    long start = end.getInt(at + 16) & IN_ZIP64;
    if (start == IN_ZIP64 || length == IN_ZIP64) {
      ByteBuffer end64 = end64(source, size - tail + at);
      length = end64.getLong(40);
      start = end64.getLong(48);
    }
    if (start < 0 || length < 0 || start + length > size || length > Integer.MAX_VALUE) {
      throw new LoadException("the archive is damaged: its directory lies outside of the file");
    }
    return members(source.bytes(start, (int) length));
  }

  private static ByteBuffer end64(ArchiveSource source, long end) throws IOException {
    ByteBuffer locator = source.bytes(end - LOCATOR64_SIZE, LOCATOR64_SIZE);
    ByteBuffer end64 =
        source.bytes(locator.remaining() < LOCATOR64_SIZE ? -1 : locator.getLong(8), 56);
    if (end64.remaining() < 56 || end64.getInt(0) != END64) {
      throw new LoadException(
          "the archive is damaged: its zip64 directory is not where it should be");
    }
    return end64;
  }

  private static List<ArchiveMember> members(ByteBuffer directory) {
    List<ArchiveMember> members = new ArrayList<>();
    int at = 0;
    while (at + ENTRY_SIZE <= directory.limit()) {
      int nameLength = directory.getShort(at + 28) & 0xffff;
      int extraLength = directory.getShort(at + 30) & 0xffff;
      int next =
          at + ENTRY_SIZE + nameLength + extraLength + (directory.getShort(at + 32) & 0xffff);
      if (directory.getInt(at) != ENTRY || next > directory.limit()) {
        throw new LoadException(
            "the archive is damaged: entry " + members.size() + " of its directory is broken");
      }
      members.add(member(directory, at, nameLength, extraLength));
      at = next;
    }
    return members;
  }

  private static ArchiveMember member(ByteBuffer directory, int at, int nameLength, int extra) {
    byte[] name = new byte[nameLength];
    directory.duplicate().position(at + ENTRY_SIZE).get(name);
    // Size, compressed size and offset are 32 bit; those that are too large stand in the zip64
    // extra field.
    long[] fields = {directory.getInt(at + 24) & IN_ZIP64, directory.getInt(at + 20) & IN_ZIP64,
        directory.getInt(at + 42) & IN_ZIP64};
    zip64(directory, at + ENTRY_SIZE + nameLength, extra, fields);
    return new ArchiveMember(withoutTopFolder(new String(name, StandardCharsets.UTF_8)),
        directory.getShort(at + 10) & 0xffff, directory.getInt(at + 16) & IN_ZIP64, fields[1],
        fields[0], fields[2]);
  }

  private static void zip64(ByteBuffer directory, int start, int length, long[] fields) {
    int at = start;
    while (at + 4 <= start + length) {
      int size = directory.getShort(at + 2) & 0xffff;
      if (directory.getShort(at) == 1) {
        int value = at + 4;
        for (int i = 0; i < fields.length; i++) {
          if (fields[i] == IN_ZIP64 && value + 8 <= Math.min(at + 4 + size, directory.limit())) {
            fields[i] = directory.getLong(value);
            value += 8;
          }
        }
      }
      at += 4 + size;
    }
  }

  private static String withoutTopFolder(String name) {
    return name.substring(name.indexOf('/') + 1);
  }
}
