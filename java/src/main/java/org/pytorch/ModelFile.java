package org.pytorch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file is, found out by looking at its content and without building a model or loading
 * libtorch.
 */
public final class ModelFile {
  /** Kinds of files that people take for models. */
  public enum Kind {
    /** A TorchScript archive, which {@link Module#load} runs. */
    TORCHSCRIPT("a TorchScript archive", ""),
    /** Saved for the lite interpreter, without code. */
    LITE("a lite-interpreter file without TorchScript code",
        "save it with torch.jit.save(scripted, path)"),
    /** Written by torch.export.save. */
    EXPORTED_PROGRAM("an exported program (torch.export.save)",
        "script or trace the model instead: torch.jit.script(model).save(path)"),
    /** Compiled ahead of time. */
    AOTINDUCTOR("an AOTInductor package",
        "script or trace the model instead: torch.jit.script(model).save(path)"),
    /** Parameters alone. */
    STATE_DICT("a state dict: parameters without code",
        "build the model in Python, load_state_dict, then torch.jit.script(model).save(path)"),
    /** A pickled Python object. */
    EAGER_PICKLE("a pickled Python model (torch.save)",
        "torch.load it in Python, then torch.jit.script(model).save(path)"),
    /** ONNX. */
    ONNX("an ONNX model", "run it with ONNX Runtime, or export the original model with torch.jit"),
    /** Safetensors. */
    SAFETENSORS("a safetensors file: parameters without code",
        "build the model in Python, load them, then torch.jit.script(model).save(path)"),
    /** A web page. */
    HTML("an HTML page", "the download went wrong: fetch the file itself, not its page"),
    /** A pointer of Git LFS. */
    LFS_POINTER("a Git LFS pointer, not the file", "run git lfs pull"),
    /** No bytes. */
    EMPTY("empty", "write or download it again"),
    /** The start of a zip archive. */
    TRUNCATED("the beginning of an archive: truncated or damaged", "write or download it again"),
    /** Another zip archive. */
    ZIP("a zip archive, but no model of torch", "make one with torch.jit.script(model).save(path)"),
    /** None of these. */
    UNKNOWN("no model of torch", "make one with torch.jit.script(model).save(path)");

    private final String text;
    private final String advice;

    Kind(String text, String advice) {
      this.text = text;
      this.advice = advice;
    }

    /**
     * What it is, for a sentence: "it is ...".
     *
     * @return such as "an ONNX model"
     */
    public String text() {
      return text;
    }

    /**
     * What to do to run it with {@link Module#load}.
     *
     * @return a command or call; empty for TorchScript
     */
    public String advice() {
      return advice;
    }
  }

  private static final int HEAD = 512;
  private static final String EXTRA = "extra/";

  /** Made when first needed: regular expressions would cost a cold start. */
  private static final class Patterns {
    // GLOBAL opcodes of a pickle: c, module, newline, name, newline.
    static final Pattern GLOBAL = Pattern.compile("c([\\w.]+)\n([\\w.]+)\n");
    static final Pattern OF_TENSORS = Pattern.compile(
        "torch\\._utils|torch|torch\\.storage|collections|numpy.*|_codecs|torch\\.serialization");
    static final Pattern DEVICE = Pattern.compile("torch\\.device\\(\"([^\"]+)\"\\)");
  }

  private final Kind kind;
  private final List<ArchiveMember> members;
  private final Map<String, byte[]> extraFiles = new LinkedHashMap<>();
  private final Set<String> devices = new TreeSet<>();

  private ModelFile(Kind kind, List<ArchiveMember> members) {
    this.kind = kind;
    this.members = members;
  }

  /**
   * Looks at a file.
   *
   * @param path the file
   * @return what it is
   * @throws LoadException when it cannot be read
   */
  public static ModelFile of(Path path) {
    try (ArchiveSource source = ArchiveSource.of(IValueChecks.notNull(path, "path"))) {
      ModelFile file = of(source);
      file.readContents(new ArchiveReader(source));
      return file;
    } catch (IOException e) {
      throw new LoadException("cannot read '" + path + "': " + e);
    }
  }

  /** One extra file, its CRC compared; empty where the archive has none of that name. */
  static Optional<byte[]> extraFile(Path path, String name) {
    try (ArchiveSource source = ArchiveSource.of(path)) {
      Optional<ArchiveMember> member = find(of(source).entries(), EXTRA + name);
      if (member.isEmpty()) {
        return Optional.empty();
      }
      ArchiveReader reader = new ArchiveReader(source);
      reader.check(member.get());
      return Optional.of(reader.content(member.get()));
    } catch (IOException e) {
      throw new LoadException("cannot read '" + path + "': " + e);
    }
  }

  static ModelFile of(ArchiveSource source) throws IOException {
    ByteBuffer head = source.bytes(0, HEAD);
    if (head.remaining() < 4 || head.getInt(0) != 0x04034b50) {
      return new ModelFile(kindOf(head, source.size()), List.of());
    }
    List<ArchiveMember> members;
    try {
      members = ArchiveDirectory.read(source);
    } catch (LoadException e) {
      return new ModelFile(Kind.TRUNCATED, List.of());
    }
    return new ModelFile(archiveKind(source, members), members);
  }

  /**
   * What the file is.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Names of the archive's members without the top folder; empty when it is no archive.
   *
   * @return names in the archive's order
   */
  public List<String> members() {
    List<String> names = new ArrayList<>();
    for (ArchiveMember member : members) {
      names.add(member.name);
    }
    return Collections.unmodifiableList(names);
  }

  /**
   * The extra files of a TorchScript archive, read without building the model.
   *
   * @return an unmodifiable map from name to content
   */
  public Map<String, byte[]> extraFiles() {
    return Collections.unmodifiableMap(extraFiles);
  }

  /**
   * Devices that stand as constants in the code of a TorchScript archive, such as {@code cuda:0}:
   * loading onto another device does not change those.
   *
   * @return sorted names, each once
   */
  public List<String> devices() {
    return List.copyOf(devices);
  }

  private void readContents(ArchiveReader reader) throws IOException {
    for (ArchiveMember member : members) {
      if (member.name.startsWith(EXTRA)) {
        reader.check(member);
        extraFiles.put(member.name.substring(EXTRA.length()), reader.content(member));
      } else if (member.name.startsWith("code/") && member.name.endsWith(".py")) {
        Matcher constants =
            Patterns.DEVICE.matcher(new String(reader.content(member), StandardCharsets.UTF_8));
        while (constants.find()) {
          devices.add(constants.group(1));
        }
      }
    }
  }

  List<ArchiveMember> entries() {
    return members;
  }

  private static Kind kindOf(ByteBuffer head, long size) {
    if (size == 0) {
      return Kind.EMPTY;
    }
    String text = StandardCharsets.ISO_8859_1.decode(head.duplicate()).toString();
    String lower = text.stripLeading().toLowerCase(java.util.Locale.ROOT);
    if (lower.startsWith("<!doctype") || lower.startsWith("<html") || lower.startsWith("<?xml")) {
      return Kind.HTML;
    }
    if (text.startsWith("version https://git-lfs")) {
      return Kind.LFS_POINTER;
    }
    if (text.startsWith("\u0080")) {
      return text.contains("ctorch.nn") || text.contains("c__main__") ? Kind.EAGER_PICKLE
                                                                      : Kind.STATE_DICT;
    }
    if (head.remaining() > 8 && head.get(8) == '{' && head.getLong(0) > 0
        && head.getLong(0) < size) {
      return Kind.SAFETENSORS;
    }
    // An ONNX file is a protobuf whose field 1 is the small number ir_version and field 2 the
    // producer.
    boolean onnx =
        head.remaining() > 4 && head.get(0) == 8 && head.get(1) < 32 && head.get(2) == 0x12;
    return onnx ? Kind.ONNX : Kind.UNKNOWN;
  }

  private static Kind archiveKind(ArchiveSource source, List<ArchiveMember> members)
      throws IOException {
    boolean code = false;
    boolean program = false;
    for (ArchiveMember member : members) {
      if (member.name.startsWith(EXTRA)) {
        continue; // of whatever name the user gave
      }
      if (member.name.contains("data/aotinductor/")) {
        return Kind.AOTINDUCTOR;
      }
      program |= ofExportedProgram(member.name);
      code |= member.name.startsWith("code/");
    }
    if (program) {
      return Kind.EXPORTED_PROGRAM;
    }
    Optional<ArchiveMember> pickle = find(members, "data.pkl");
    if (pickle.isPresent() && code) {
      return Kind.TORCHSCRIPT;
    }
    if (find(members, "bytecode.pkl").isPresent()) {
      return Kind.LITE;
    }
    if (pickle.isEmpty()) {
      return code || find(members, "constants.pkl").isPresent() ? Kind.TORCHSCRIPT : Kind.ZIP;
    }
    return pickleKind(new ArchiveReader(source).content(pickle.get()));
  }

  /** Whether torch.export.save writes such a member, in the layouts that it has had. */
  private static boolean ofExportedProgram(String name) {
    String file = name.substring(name.lastIndexOf('/') + 1);
    return file.equals("archive_format") || file.equals("serialized_exported_program.json")
        || (file.endsWith(".json") && (name.startsWith("models/") || name.contains("/models/")));
  }

  private static Kind pickleKind(byte[] pickle) {
    Matcher globals = Patterns.GLOBAL.matcher(new String(pickle, StandardCharsets.ISO_8859_1));
    while (globals.find()) {
      if (!Patterns.OF_TENSORS.matcher(globals.group(1)).matches()) {
        return Kind.EAGER_PICKLE;
      }
    }
    return Kind.STATE_DICT;
  }

  static Optional<ArchiveMember> find(List<ArchiveMember> members, String name) {
    for (ArchiveMember member : members) {
      if (member.name.equals(name)) {
        return Optional.of(member);
      }
    }
    return Optional.empty();
  }
}
