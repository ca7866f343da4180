import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.pytorch.MemoryFormat;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.Torch;

/**
 * What a Java user may choose: layout, batch, threads, and how pictures come in. Arguments: a net
 * that takes 1x3x224x224, rounds. Prints for each choice a line: its name, a tab, and milliseconds
 * per picture of each round.
 */
public class Advice {
  private static final int PICTURE = 3 * 224 * 224;

  private interface Call {
    void run();
  }

  private static Tensor pictures(int count, MemoryFormat format) {
    float[] data = new float[count * PICTURE];
    Arrays.fill(data, 0.5f);
    return Tensor.fromBlob(data, new long[] {count, 3, 224, 224}, format);
  }

  private static void add(Map<String, Call> calls, String name, Module net, Tensor x, int threads) {
    calls.put(name, () -> {
      Torch.setNumThreads(threads);
      net.forward(x).close();
    });
  }

  private static void transfers(Map<String, Call> calls, Module identity) {
    float[] array = new float[PICTURE];
    FloatBuffer direct =
        ByteBuffer.allocateDirect(4 * PICTURE).order(ByteOrder.nativeOrder()).asFloatBuffer();
    long[] shape = {1, 3, 224, 224};
    Tensor kept = pictures(1, MemoryFormat.CONTIGUOUS);
    Tensor shared = Tensor.fromBlob(direct, shape);
    calls.put("in: float[] into a new tensor", () -> {
      try (Tensor x = Tensor.fromBlob(array, shape)) {
        identity.forward(x).close();
      }
    });
    calls.put("in: float[] into a kept tensor, copyFrom", () -> {
      kept.copyFrom(array);
      identity.forward(kept).close();
    });
    calls.put("in: a direct buffer filled from float[], tensor over it kept", () -> {
      direct.clear().put(array);
      identity.forward(shared).close();
    });
    calls.put("in: a direct buffer as it is", () -> identity.forward(shared).close());
  }

  private static double millis(Call call, int calls, int pictures) {
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      call.run();
    }
    return (System.nanoTime() - start) / 1e6 / calls / pictures;
  }

  /** Runs all. */
  public static void main(String[] args) {
    Module net = Module.load(args[0]);
    Module identity = Module.load(args[1]);
    int rounds = Integer.parseInt(args[2]);
    Map<String, Call> calls = new LinkedHashMap<>();
    Tensor one = pictures(1, MemoryFormat.CONTIGUOUS);
    Tensor last = pictures(1, MemoryFormat.CHANNELS_LAST);
    Tensor eight = pictures(8, MemoryFormat.CONTIGUOUS);
    add(calls, "net: 1 picture, 1 thread", net, one, 1);
    add(calls, "net: 1 picture, 2 threads", net, one, 2);
    add(calls, "net: 1 picture, channels last, 1 thread", net, last, 1);
    add(calls, "net: 8 pictures in a batch, 1 thread", net, eight, 1);
    add(calls, "net: 8 pictures in a batch, 2 threads", net, eight, 2);
    transfers(calls, identity);
    Map<String, StringBuilder> lines = new LinkedHashMap<>();
    for (int round = -2; round < rounds; round++) {
      for (Map.Entry<String, Call> entry : calls.entrySet()) {
        boolean batch = entry.getKey().contains("8 pictures");
        int times = entry.getKey().startsWith("in:") ? 500 : batch ? 1 : 4;
        double found = millis(entry.getValue(), times, batch ? 8 : 1);
        if (round >= 0) {
          lines.computeIfAbsent(entry.getKey(), key -> new StringBuilder())
              .append(' ')
              .append(found);
        }
      }
    }
    lines.forEach((name, numbers) -> System.out.println(name + "\t" + numbers.toString().strip()));
  }
}
