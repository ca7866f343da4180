import java.nio.file.Path;
import java.util.Arrays;
import org.pytorch.LoadOptions;
import org.pytorch.Module;

/**
 * What the integrity check costs: loads a model with and without it, in turn. Arguments: model,
 * rounds. Prints the medians in milliseconds, with and without, and the median of the ratios.
 */
public class BenchLoad {
  private static double millis(Path path, boolean check) {
    long start = System.nanoTime();
    Module.load(path, LoadOptions.defaults().withIntegrityCheck(check)).close();
    return (System.nanoTime() - start) / 1e6;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Runs rounds. */
  public static void main(String[] args) {
    Path path = Path.of(args[0]);
    int rounds = Integer.parseInt(args[1]);
    double[] with = new double[rounds];
    double[] without = new double[rounds];
    double[] ratios = new double[rounds];
    for (int i = -3; i < rounds; i++) { // three rounds to warm up
      double checked = millis(path, true);
      double unchecked = millis(path, false);
      if (i >= 0) {
        with[i] = checked;
        without[i] = unchecked;
        ratios[i] = checked / unchecked;
      }
    }
    System.out.println(median(with) + " " + median(without) + " " + median(ratios));
  }
}
