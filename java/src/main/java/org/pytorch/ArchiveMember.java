package org.pytorch;

/** One member of a zip archive, as its directory lists it. */
final class ArchiveMember {
  static final int STORED = 0;
  static final int DEFLATED = 8;

  /** Name without the top folder, which torch names after the file. */
  final String name;
  final int method;
  final long crc;
  final long compressedSize;
  final long size;
  /** Where its local header starts. */
  final long offset;

  ArchiveMember(String name, int method, long crc, long compressedSize, long size, long offset) {
    this.name = name;
    this.method = method;
    this.crc = crc;
    this.compressedSize = compressedSize;
    this.size = size;
    this.offset = offset;
  }
}
