import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.pytorch.Device;
import org.pytorch.IValue;
import org.pytorch.Module; // by name, because java.lang has a Module too
import org.pytorch.Tensor;
import org.pytorch.Torch;

/**
 * Classifies handwritten digits with a TorchScript model; no Python in this process.
 *
 * <p>Run it with {@code torch4j run examples/Digits.java model.pt images.bin 1 out}. Arguments:
 * model, images (int32 count, height, width, then float32 pixels, little-endian), threads, and a
 * folder for logits.bin (a call per image) and batch.bin (one call for all), both float32 and
 * little-endian, and report.txt (name=value lines, times in microseconds).
 */
public class Digits {
  private static final int WARM_UP_ROUNDS = 4;

  private final Module module;
  private final int count;
  private final int height;
  private final int width;
  private final float[] pixels;

  private Digits(Module module, Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    this.module = module;
    this.count = bytes.getInt();
    this.height = bytes.getInt();
    this.width = bytes.getInt();
    this.pixels = new float[count * height * width];
    bytes.asFloatBuffer().get(pixels);
  }

  /** Logits of some images, their pixels one after the other. */
  private float[] classify(float[] some) {
    long[] shape = {some.length / (height * width), 1, height, width};
    try (Tensor input = Tensor.fromBlob(some, shape);
        Tensor output = module.forward(IValue.from(input)).toTensor()) {
      return output.getDataAsFloatArray();
    }
  }

  /** Puts the logits of each image into a row, a call each; returns what each call took. */
  private double[] classifyEach(float[][] rows) {
    double[] micros = new double[count];
    for (int i = 0; i < count; i++) {
      float[] image = Arrays.copyOfRange(pixels, i * height * width, (i + 1) * height * width);
      long start = System.nanoTime();
      rows[i] = classify(image);
      micros[i] = (System.nanoTime() - start) / 1e3;
    }
    return micros;
  }

  /** Median time of a call, once the JVM and libtorch are warm. */
  private double steadyMicros() {
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      classifyEach(new float[count][]);
    }
    double[] micros = classifyEach(new float[count][]);
    Arrays.sort(micros);
    return micros[count / 2];
  }

  /** Share of zeros among the weights, biases left out. */
  private double sparsity() {
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
    return IntStream.range(0, logits.length).reduce(0, (a, b) -> logits[b] > logits[a] ? b : a);
  }

  private static void write(Path file, float[]... rows) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(rows.length * rows[0].length * Float.BYTES);
    FloatBuffer floats = bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    for (float[] row : rows) {
      floats.put(row);
    }
    Files.write(file, bytes.array());
  }

  /** Loads, classifies, writes. */
  public static void main(String[] args) throws IOException {
    Torch.setNumThreads(Integer.parseInt(args[2]));
    Path out = Path.of(args[3]);
    Map<String, String> extraFiles = new HashMap<>(Map.of("classes.txt", ""));
    try (Module module = Module.load(args[0], extraFiles, Device.CPU)) {
      String[] names = extraFiles.get("classes.txt").split("\n");
      Digits digits = new Digits(module, Path.of(args[1]));
      float[][] rows = new float[digits.count][];
      double first = digits.classifyEach(rows)[0];
      double steady = digits.steadyMicros();
      String answers =
          Arrays.stream(rows).map(row -> names[best(row)]).collect(Collectors.joining(","));
      String report = "first=%s\nsteady=%s\nsparsity=%s\nanswers=%s\n";
      report = report.formatted(first, steady, digits.sparsity(), answers);
      Files.writeString(out.resolve("report.txt"), report);
      write(out.resolve("logits.bin"), rows);
      write(out.resolve("batch.bin"), digits.classify(digits.pixels));
    }
  }
}
