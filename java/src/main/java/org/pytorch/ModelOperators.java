package org.pytorch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Operators that the code in an archive calls, found without compiling it. */
final class ModelOperators {
  // TorchScript writes custom operators as ops.namespace.name(...).
  private static final Pattern CALL = Pattern.compile("\\bops\\.(\\w+)\\.(\\w+)");

  private ModelOperators() {}

  /** Those that this libtorch has not, as namespace::name, sorted. */
  static List<String> missing(ArchiveSource source, List<ArchiveMember> members)
      throws IOException {
    ArchiveReader reader = new ArchiveReader(source);
    Set<String> called = new TreeSet<>();
    for (ArchiveMember member : members) {
      if (member.name.startsWith("code/") && member.name.endsWith(".py")) {
        String code = new String(reader.content(member), StandardCharsets.UTF_8);
        Matcher calls = CALL.matcher(code);
        while (calls.find()) {
          called.add(calls.group(1) + "::" + calls.group(2));
        }
      }
    }
    List<String> missing = new ArrayList<>();
    for (String name : called) {
      if (!NativeTorch.hasOperator(Utf8.encode(name))) {
        missing.add(name);
      }
    }
    return missing;
  }
}
