package org.pytorch;

import java.io.IOException;
import java.util.List;

/**
 * How deep an archive is nested: libtorch reads it recursively, and a stack that is too small ends
 * the process instead of the call.
 */
final class ArchiveDepth {
  private ArchiveDepth() {}

  /** The deepest nesting of objects in data.pkl and of brackets in the code. */
  static int of(ArchiveSource source, List<ArchiveMember> members) throws IOException {
    ArchiveReader reader = new ArchiveReader(source);
    int depth = 0;
    for (ArchiveMember member : members) {
      if (member.name.equals("data.pkl") || member.name.equals("constants.pkl")) {
        depth = Math.max(depth, PickleDepth.of(reader.content(member)));
      } else if (member.name.startsWith("code/") && member.name.endsWith(".py")) {
        depth = Math.max(depth, brackets(reader.content(member)));
      }
    }
    return depth;
  }

  private static int brackets(byte[] code) {
    int depth = 0;
    int deepest = 0;
    for (byte b : code) {
      if (b == '(' || b == '[' || b == '{') {
        deepest = Math.max(deepest, ++depth);
      } else if (b == ')' || b == ']' || b == '}') {
        depth = Math.max(0, depth - 1);
      }
    }
    return deepest;
  }
}
