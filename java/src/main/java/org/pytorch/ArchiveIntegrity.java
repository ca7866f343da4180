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
   * Checks all members.
   *
   * @throws LoadException naming the member that differs
   */
  static void check(ArchiveSource source, List<ArchiveMember> members) throws IOException {
    ArchiveReader reader = new ArchiveReader(source);
    MessageDigest digest = ModelFile.find(members, DIGEST).isPresent() ? sha256() : null;
    for (ArchiveMember member : members) {
      if (digest == null || member.name.equals(DIGEST)) {
        reader.check(member, null);
      } else {
        digest.update((member.name + "\0").getBytes(StandardCharsets.UTF_8));
        reader.check(member, digest::update);
      }
    }
    if (digest != null) {
      compare(reader.content(ModelFile.find(members, DIGEST).get()), digest.digest());
    }
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
