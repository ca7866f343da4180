import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Archives with right CRCs and wrong members: one left out, renamed, emptied, or with bytes
 * changed in its pickle.
 */
final class FuzzArchive {
  private FuzzArchive() {}

  static byte[] changed(Path archive, Random random) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int victim = random.nextInt(8);
    int how = random.nextInt(4);
    // ZipFile and not ZipInputStream: that refuses the stored members with a data descriptor that
    // torch writes.
    try (ZipFile in = new ZipFile(archive.toFile());
        ZipOutputStream out = new ZipOutputStream(bytes)) {
      int index = 0;
      for (ZipEntry entry : Collections.list(in.entries())) {
        byte[] content = in.getInputStream(entry).readAllBytes();
        String name = entry.getName();
        // Weights with a right CRC are a file of their own, and none that anyone could call
        // damaged.
        if (index++ == victim && !name.contains("/data/")) {
          if (how == 0) {
            continue;
          }
          name = how == 1 ? name + "x" : name;
          content = how == 2 ? new byte[0] : content;
          if (how == 3 && content.length > 0) {
            content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
          }
        }
        put(out, name, content);
      }
    }
    return bytes.toByteArray();
  }

  private static void put(ZipOutputStream out, String name, byte[] content) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(content);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(content.length);
    entry.setCrc(crc.getValue());
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
  }
}
