package org.pytorch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * Compares what an archive holds with what it says it holds.
 *
 * <p>libtorch itself does not: a flipped bit inside the weights loads silently. Every member has a
 * CRC in the directory. An archive that torch4j exported may also hold {@value #DIGEST}: the
 * hexadecimal SHA-256 over name, NUL, content of each other member, in the directory's order.
 */
final class ArchiveIntegrity {
  static final String DIGEST = "extra/torch4j.sha256";

  private ArchiveIntegrity() {}

  /**
   * Checks all members but the elements of tensors; with a digest, which covers all, also those.
   *
   * @throws LoadException naming the member that differs
   */
  static void checkStructure(ArchiveSource source, List<ArchiveMember> members) throws IOException {
    if (hasDigest(members)) {
      checkDigest(source, members);
      return;
    }
    ArchiveReader reader = new ArchiveReader(source);
    for (ArchiveMember member : members) {
      if (!holdsTensor(member)) {
        reader.check(member, null);
      }
    }
  }

  /**
   * Checks the elements of tensors, unless {@link #checkStructure} has done so.
   *
   * @throws LoadException naming the member that differs
   */
  static void checkTensors(ArchiveSource source, List<ArchiveMember> members) throws IOException {
    if (hasDigest(members)) {
      return;
    }
    ArchiveReader reader = new ArchiveReader(source);
    for (ArchiveMember member : members) {
      if (holdsTensor(member)) {
        reader.check(member, null);
      }
    }
  }

  private static boolean hasDigest(List<ArchiveMember> members) {
    return ModelFile.find(members, DIGEST).isPresent();
  }

  private static boolean holdsTensor(ArchiveMember member) {
    return member.name.startsWith("data/") || member.name.startsWith("constants/");
  }

  private static void checkDigest(ArchiveSource source, List<ArchiveMember> members)
      throws IOException {
    ArchiveReader reader = new ArchiveReader(source);
    MessageDigest digest = sha256();
    for (ArchiveMember member : members) {
      boolean covered = !member.name.equals(DIGEST);
      if (covered) {
        digest.update((member.name + "\0").getBytes(StandardCharsets.UTF_8));
      }
      reader.check(member, covered ? digest::update : null);
    }
    compare(reader.content(ModelFile.find(members, DIGEST).get()), digest.digest());
  }

  private static void compare(byte[] expected, byte[] found) {
    StringBuilder hex = new StringBuilder();
    for (byte b : found) {
      hex.append(String.format("%02x", b));
    }
    String wanted = new String(expected, StandardCharsets.UTF_8).strip();
    if (!wanted.contentEquals(hex)) {
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
