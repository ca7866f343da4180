import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.pytorch.Device;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;
import org.pytorch.Torch;

/**
 * Classifies handwritten digits with a TorchScript model; no Python in this process.
 *
 * <p>Arguments: model, images (int32 count, height, width, then float32 pixels, little-endian),
 * threads, and a folder for logits.bin (float32, little-endian) and report.txt (name=value lines).
 *
 * <p>Run it with {@code torch4j run examples/Digits.java model.pt images.bin 1 out}.
 */
public class Digits {
  private static final int TIMED_ROUNDS = 5;

  private final Module module;
  private final float[][] images;
  private final long[] shape;
  private final List<Long> nanos = new ArrayList<>();

  private Digits(Module module, Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int count = bytes.getInt();
    int height = bytes.getInt();
    int width = bytes.getInt();
    FloatBuffer pixels = bytes.asFloatBuffer();
    this.module = module;
    this.shape = new long[] {1, 1, height, width};
    this.images = new float[count][height * width];
    for (float[] image : images) {
      pixels.get(image);
    }
  }

  private float[] classify(float[] image) {
    try (Tensor input = Tensor.fromBlob(image, shape);
        Tensor output = module.forward(IValue.from(input)).toTensor()) {
      return output.getDataAsFloatArray();
    }
  }

  /** Logits of every image; each call is timed. */
  private float[][] classifyAll() {
    float[][] logits = new float[images.length][];
    for (int i = 0; i < images.length; i++) {
      long start = System.nanoTime();
      logits[i] = classify(images[i]);
      nanos.add(System.nanoTime() - start);
    }
    return logits;
  }

  private double medianMicros() {
    List<Long> sorted = new ArrayList<>(nanos);
    sorted.sort(null);
    return sorted.get(sorted.size() / 2) / 1e3;
  }

  /** Share of zeros among the weights, biases left out. */
  private static double sparsity(Module module) {
    long zeros = 0;
    long all = 0;
    for (Map.Entry<String, Tensor> parameter : module.parameters().entrySet()) {
      try (Tensor tensor = parameter.getValue()) {
        if (parameter.getKey().endsWith("weight")) {
          for (float weight : tensor.getDataAsFloatArray()) {
            zeros += weight == 0 ? 1 : 0;
          }
          all += tensor.numel();
        }
      }
    }
    return (double) zeros / all;
  }

  private static int best(float[] logits) {
    int best = 0;
    for (int i = 1; i < logits.length; i++) {
      best = logits[i] > logits[best] ? i : best;
    }
    return best;
  }

  private static byte[] bytes(float[][] logits) {
    ByteBuffer bytes =
        ByteBuffer.allocate(logits.length * logits[0].length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (float[] row : logits) {
      bytes.asFloatBuffer().put(row);
      bytes.position(bytes.position() + row.length * 4);
    }
    return bytes.array();
  }

  /** Loads, classifies, writes. */
  public static void main(String[] args) throws IOException {
    Torch.setNumThreads(Integer.parseInt(args[2]));
    Map<String, String> extraFiles = new HashMap<>(Map.of("classes.txt", ""));
    try (Module module = Module.load(args[0], extraFiles, Device.CPU)) {
      String[] names = extraFiles.get("classes.txt").split("\n");
      Digits digits = new Digits(module, Path.of(args[1]));
      float[][] logits = digits.classifyAll();
      final double first = digits.nanos.get(0) / 1e3;
      for (int round = 0; round < TIMED_ROUNDS; round++) {
        digits.nanos.clear();
        digits.classifyAll();
      }
      String[] answers = Arrays.stream(logits).map(row -> names[best(row)]).toArray(String[] ::new);
      Path out = Path.of(args[3]);
      Files.write(out.resolve("logits.bin"), bytes(logits));
      Files.writeString(out.resolve("report.txt"),
          String.format("first=%s%nsteady=%s%nsparsity=%s%nanswers=%s%n", first,
              digits.medianMicros(), sparsity(module), String.join(",", answers)));
    }
  }
}
