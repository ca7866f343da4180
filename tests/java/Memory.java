import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.management.ObjectName;
import org.pytorch.IValue;
import org.pytorch.MemoryStats;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.Torch;

/** What is counted, bounded and reclaimed. Arguments: what, and a model that adds 1. */
public class Memory {
  private static final long MIB = 1L << 20;

  /** One array for all: the Java heap must not be what makes the GC run. */
  private static final float[] ZEROS = new float[1 << 18];

  private static Tensor megabyte() {
    return Tensor.fromBlob(ZEROS, new long[] {1 << 18});
  }

  private static void say(String name, Object value) {
    System.out.println(name + "=" + String.valueOf(value).replace("\n", "\\n"));
  }

  private static void counts() {
    MemoryStats before = Torch.memoryStats();
    List<Tensor> tensors = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      tensors.add(megabyte());
    }
    Tensor view = tensors.get(0).narrow(0, 0, 100);
    MemoryStats full = Torch.memoryStats();
    say("tensors", full.liveTensors() - before.liveTensors());
    say("mebibytes", (full.bytes() - before.bytes() + MIB / 2) / MIB);
    tensors.forEach(Tensor::close);
    say("held by the view", (Torch.memoryStats().bytes() - before.bytes() + MIB / 2) / MIB);
    view.close();
    MemoryStats after = Torch.memoryStats();
    say("left", (after.bytes() - before.bytes()) / MIB);
    say("tensors left", after.liveTensors() - before.liveTensors());
    say("peak", (after.peakBytes() - before.bytes() + MIB / 2) / MIB);
    say("kept for reuse", after.cachedBytes() / MIB);
    Torch.releaseMemoryCache();
    say("released", Torch.memoryStats().cachedBytes());
    say("text", after);
  }

  /** Resident memory: field 2 of statm in proc(5), in pages of 4 KiB. */
  private static long resident() throws IOException {
    return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096;
  }

  /**
   * Small tensors stay alive between the large ones, so that malloc keeps what lies between them.
   */
  private static void release() throws IOException {
    float[] data = new float[150 << 10];
    Tensor.fromBlob(data, new long[] {data.length}).close();
    Torch.releaseMemoryCache(); // malloc has now seen one freed, and maps the next ones no more
    List<Tensor> large = new ArrayList<>();
    List<Tensor> small = new ArrayList<>();
    long before = resident();
    for (int i = 0; i < 200; i++) {
      large.add(Tensor.fromBlob(data, new long[] {data.length}));
      small.add(Tensor.fromBlob(new float[64], new long[] {64}));
    }
    long full = resident();
    large.forEach(Tensor::close);
    Torch.releaseMemoryCache();
    say("taken", (full - before) / MIB);
    say("left", (resident() - before) / MIB);
    small.forEach(Tensor::close);
  }

  /** With a limit of 100 MB: what is held makes it fail, what is unreachable does not. */
  private static void limit(String path) {
    for (int i = 0; i < 1000; i++) {
      megabyte();
    }
    say("reclaimed", Torch.memoryStats().reclaimedByGc() > 800);
    List<Tensor> held = new ArrayList<>();
    try {
      while (true) {
        held.add(megabyte());
      }
    } catch (OutOfMemoryError e) {
      say("held", held.size());
      say("error", e);
    }
    Module module = Module.load(path);
    try {
      module.forward(held.get(0));
    } catch (OutOfMemoryError e) {
      say("in a model", e);
    }
    say("still right",
        module.forward(Tensor.fromBlob(new float[] {1}, new long[] {1})).toFloatArray()[0]);
    held.forEach(Tensor::close);
    say("after close", megabyte().numel());
  }

  private static void buffer(String path) {
    Module module = Module.load(path);
    Tensor tensor = overBuffer();
    for (int i = 0; i < 20; i++) {
      System.gc();
      ByteBuffer.allocateDirect(1 << 20).put(0, (byte) 1); // where a freed one would be reused
    }
    say("element", module.forward(tensor).toFloatArray()[12345]);
  }

  private static Tensor overBuffer() {
    FloatBuffer buffer =
        ByteBuffer.allocateDirect(1 << 20).order(ByteOrder.nativeOrder()).asFloatBuffer();
    buffer.put(12345, 41);
    return Tensor.fromBlob(buffer, new long[] {1 << 18});
  }

  /** The module's last reference is gone before the native call has even begun. */
  private static void dropped(String path) throws InterruptedException {
    Thread collector = new Thread(() -> {
      while (!Thread.currentThread().isInterrupted()) {
        System.gc();
      }
    });
    collector.start();
    int right = 0;
    for (int i = 0; i < 60; i++) {
      float[] answer = Module.load(path)
                           .forward(Tensor.fromBlob(new float[] {i}, new long[] {1}))
                           .reshape(new long[] {1, 1})
                           .narrow(0, 0, 1)
                           .toFloatArray();
      right += answer[0] == i + 1 ? 1 : 0;
    }
    collector.interrupt();
    collector.join();
    say("right", right);
  }

  private static void closing(String path) {
    Module module = Module.load(path);
    Tensor tensor = megabyte();
    module.close();
    module.close();
    tensor.close();
    tensor.close();
    try {
      module.forward(IValue.from(megabyte()));
    } catch (IllegalStateException e) {
      say("module", e.getMessage());
    }
    try {
      tensor.toFloatArray();
    } catch (IllegalStateException e) {
      say("tensor", e.getMessage());
    }
  }

  private static void traced() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      forgotten();
    }
    for (int i = 0; i < 500 && Torch.memoryStats().reclaimedByGc() < 3; i++) {
      System.gc();
      Thread.yield();
    }
    Torch.unclosed().forEach((place, count) -> say("count " + count, place));
  }

  private static void forgotten() {
    megabyte();
  }

  private static void bean() throws Exception {
    Torch.registerMemoryBean();
    Torch.registerMemoryBean();
    Tensor tensor = megabyte();
    var server = java.lang.management.ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("org.pytorch:type=Memory");
    say("tensors", server.getAttribute(name, "LiveTensors"));
    say("attributes", server.getMBeanInfo(name).getAttributes().length);
    say("bytes",
        ((Long) server.getAttribute(name, "Bytes") + MIB / 2) / MIB * tensor.shape().length);
  }

  /** Runs one. */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "counts":
        counts();
        break;
      case "limit":
        limit(args[1]);
        break;
      case "buffer":
        buffer(args[1]);
        break;
      case "dropped":
        dropped(args[1]);
        break;
      case "closing":
        closing(args[1]);
        break;
      case "release":
        release();
        break;
      case "traced":
        traced();
        break;
      default:
        bean();
    }
  }
}
