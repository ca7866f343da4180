import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.pytorch.IValue;
import org.pytorch.Module;
import org.pytorch.Tensor;

/** Memory segments, from Java 22 on. */
public class Segments {
  /** Argument: a model that gives uint8 of so many elements, of which the last is 7. */
  public static void main(String[] args) {
    long size = (1L << 31) + 16;
    MemorySegment segment;
    try (Module module = Module.load(args[0]);
        Tensor large = module.forward(IValue.from(size)).toTensor()) {
      segment = large.as(MemorySegment.class);
    }
    System.gc(); // the segment keeps the memory, though tensor and module are closed
    System.out.println("size=" + segment.byteSize());
    System.out.println("readonly=" + segment.isReadOnly());
    System.out.println("last=" + segment.get(ValueLayout.JAVA_BYTE, size - 1));
  }
}
