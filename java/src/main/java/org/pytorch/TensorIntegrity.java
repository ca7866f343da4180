package org.pytorch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Checks the elements of tensors, most of an archive, while libtorch reads them: it only copies
 * them, so that it is soon enough to know before the module is handed out, and the bytes need not
 * be read twice. What libtorch did not read in one piece is read here.
 */
final class TensorIntegrity {
  private static final long UNREAD = -1;

  /** Of stored tensors, by where their elements start. */
  private final List<ArchiveMember> stored = new ArrayList<>();
  private final List<ArchiveMember> compressed = new ArrayList<>();
  private final long[] spans;
  private final long[] crcs;

  /**
   * Finds where the elements are.
   *
   * @throws LoadException naming a member that is not where the archive says
   */
  TensorIntegrity(ArchiveReader reader, List<ArchiveMember> members) throws IOException {
    for (ArchiveMember member : members) {
      if (ArchiveIntegrity.holdsTensor(member)) {
        (member.method == ArchiveMember.STORED ? stored : compressed).add(member);
      }
    }
    stored.sort(new Comparator<>() { // no lambda: it would cost a cold start
      @Override
      public int compare(ArchiveMember one, ArchiveMember other) {
        return Long.compareUnsigned(one.offset, other.offset);
      }
    });
    spans = new long[2 * stored.size()];
    for (int i = 0; i < stored.size(); i++) {
      spans[2 * i] = reader.dataStart(stored.get(i));
      spans[2 * i + 1] = stored.get(i).size;
    }
    crcs = new long[stored.size()];
    Arrays.fill(crcs, UNREAD);
  }

  /** Start and size of each stored tensor, for the native side. */
  long[] spans() {
    return spans;
  }

  /** Receives what the native side found. */
  long[] crcs() {
    return crcs;
  }

  /**
   * Compares what was found, after loading.
   *
   * @throws LoadException naming the member that differs
   */
  void check(ArchiveReader reader) throws IOException {
    for (int i = 0; i < crcs.length; i++) {
      if (crcs[i] == UNREAD) {
        reader.check(stored.get(i));
      } else {
        ArchiveReader.compare(stored.get(i), crcs[i]);
      }
    }
    for (ArchiveMember member : compressed) {
      reader.check(member);
    }
  }
}
