package org.pytorch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Compares what an archive holds with what it says it holds.
 *
 * <p>libtorch itself does not: a flipped bit inside the weights loads silently. Every member has a
 * CRC in the directory. An archive that torch4j exported also holds {@value #DIGEST}: the
 * hexadecimal SHA-256 over name, NUL, size (8 bytes, little-endian) and CRC-32 (4 bytes) of each
 * other member, in the directory's order. It finds what a tool changed that writes CRCs too, and
 * members added or left out, and costs nothing: the CRCs already stand for the contents.
 */
final class ArchiveIntegrity {
  static final String DIGEST = "extra/torch4j.sha256";

  private ArchiveIntegrity() {}

  /**
   * Checks all members but the elements of tensors: see TensorIntegrity.
   *
   * @throws LoadException naming the member that differs
   */
  static void checkStructure(ArchiveReader reader, List<ArchiveMember> members) throws IOException {
    for (ArchiveMember member : members) {
      if (!holdsTensor(member)) {
        reader.check(member);
      }
    }
    Optional<ArchiveMember> digest = ModelFile.find(members, DIGEST);
    if (digest.isPresent()) {
      compare(reader.content(digest.get()), digestOf(members));
    }
  }

  static boolean holdsTensor(ArchiveMember member) {
    return member.name.startsWith("data/") || member.name.startsWith("constants/");
  }

  private static byte[] digestOf(List<ArchiveMember> members) {
    MessageDigest digest = sha256();
    for (ArchiveMember member : members) {
      if (!member.name.equals(DIGEST)) {
        digest.update((member.name + "\0").getBytes(StandardCharsets.UTF_8));
        digest.update(ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(member.size)
                .putInt((int) member.crc)
                .flip());
      }
    }
    return digest.digest();
  }

  private static void compare(byte[] expected, byte[] found) {
    String hex = HexFormat.of().formatHex(found);
    String wanted = new String(expected, StandardCharsets.UTF_8).strip();
    if (!wanted.equals(hex)) {
      throw new LoadException("the archive was changed after its export: its SHA-256 is " + hex
          + ", " + DIGEST + " says " + wanted);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
