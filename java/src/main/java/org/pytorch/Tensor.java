package org.pytorch;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A tensor: a shape, a dtype, and elements in memory that libtorch owns.
 *
 * <p>Close it, or leave it to the GC. All methods but {@link #close()} and {@link #isClosed()}
 * throw IllegalStateException once it is closed. Elements are never shared with Java except through
 * {@link #asByteBuffer()}, which is read-only, and through direct buffers that the user gave to
 * {@code fromBlob} or {@code fromBuffer}. A tensor may be used from any number of threads.
 *
 * <p>The official getters, {@code getDataAsXArray}, give a channels-last tensor in the order of its
 * memory (NHWC). All other getters give the logical order of the shape, whatever the strides.
 */
public class Tensor extends TensorFactories implements AutoCloseable {
  private final NativeHandle handle;
  private TensorInfo info;

  private Tensor(long address, TensorInfo info) {
    this.handle = TensorScope.enlist(NativeHandle.adopt(this, address));
    this.info = info;
  }

  private Tensor(long address, TensorInfo info, long bufferBytes) {
    this.handle = TensorScope.enlist(NativeHandle.adopt(this, address, bufferBytes));
    this.info = info;
  }

  /** Takes over a native tensor. */
  static Tensor adopt(long address) {
    return new Tensor(address, null);
  }

  static Tensor adopt(long address, TensorInfo info) {
    return new Tensor(address, info);
  }

  /** Takes over a tensor whose memory is that of a direct buffer. */
  static Tensor adoptOver(Buffer buffer, long address, TensorInfo info) {
    return new Tensor(address, info, JavaBuffers.bytes(buffer));
  }

  NativeHandle handle() {
    return handle;
  }

  private TensorInfo info() {
    TensorInfo known = info;
    if (known == null || handle.isClosed()) {
      known = describe();
      info = known;
    }
    return known;
  }

  private TensorInfo describe() {
    long address = handle.enter();
    try {
      return TensorInfo.read(NativeTensor.describe(address));
    } finally {
      exit();
    }
  }

  /**
   * Leaves the handle, and keeps this reachable up to here: the GC net must not close it
   * meanwhile.
   */
  private void exit() {
    handle.exit();
    Reference.reachabilityFence(this);
  }

  /**
   * Number of elements.
   *
   * @return the product of the dimensions; 1 for a scalar
   */
  public long numel() {
    return info().numel;
  }

  /**
   * Dimensions.
   *
   * @return a new array; empty for a scalar
   */
  public long[] shape() {
    return info().shape.clone();
  }

  /**
   * Distances in elements between neighbours along each dimension.
   *
   * @return a new array; empty for a scalar
   */
  public long[] stride() {
    long[] known = info().stride();
    return known == null ? describe().stride().clone() : known.clone();
  }

  /**
   * How the elements lie in memory. CONTIGUOUS also stands for any other layout: the getters then
   * copy into the logical order.
   *
   * @return what the maker of this tensor said; for one from a model, contiguous is asked first
   */
  public MemoryFormat memoryFormat() {
    return info().memoryFormat;
  }

  /**
   * Element type.
   *
   * @return the dtype
   */
  public DType dtype() {
    return info().dtype;
  }

  /**
   * Where the elements lie.
   *
   * @return the kind of device
   */
  public Device device() {
    return info().device;
  }

  /**
   * Bytes of all elements.
   *
   * @return {@code numel() * dtype().itemSize()}
   */
  public long nbytes() {
    return info().nbytes();
  }

  /**
   * Whether memory order is the logical order, without gaps.
   *
   * @return true for a row-major tensor
   */
  public boolean isContiguous() {
    return info().contiguous;
  }

  /**
   * Elements of an INT8 tensor, in memory order for channels-last.
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public byte[] getDataAsByteArray() {
    return (byte[]) official(DType.INT8, "byte");
  }

  /**
   * Elements of a UINT8 tensor as raw bytes, in memory order for channels-last.
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public byte[] getDataAsUnsignedByteArray() {
    return (byte[]) official(DType.UINT8, "byte");
  }

  /**
   * Elements of an INT32 tensor, in memory order for channels-last.
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public int[] getDataAsIntArray() {
    return (int[]) official(DType.INT32, "int");
  }

  /**
   * Elements of a FLOAT32 tensor, in memory order for channels-last.
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public float[] getDataAsFloatArray() {
    return (float[]) official(DType.FLOAT32, "float");
  }

  /**
   * Elements of an INT64 tensor, in memory order for channels-last.
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public long[] getDataAsLongArray() {
    return (long[]) official(DType.INT64, "long");
  }

  /**
   * Elements of a FLOAT64 tensor, in memory order for channels-last.
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public double[] getDataAsDoubleArray() {
    return (double[]) official(DType.FLOAT64, "double");
  }

  private Object official(DType wanted, String name) {
    TensorInfo known = info();
    if (known.dtype != wanted) {
      // The official classes were named by dtype, and their names are in this message.
      throw new IllegalStateException("Tensor of type Tensor_" + known.dtype.torchName()
          + " cannot return data as " + name + " array.");
    }
    return TensorReader.newArray(this, known, wanted.arrayKind, true);
  }

  /**
   * Raw elements of any dtype, in logical order and native byte order.
   *
   * @return a new array of nbytes() bytes
   * @throws IllegalStateException when a Java array cannot hold them
   */
  public byte[] toByteArray() {
    return (byte[]) TensorReader.newArray(this, info(), NativeCodes.ARRAY_BYTE, false);
  }

  /**
   * Elements of a BOOL tensor, in logical order.
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public boolean[] toBooleanArray() {
    return (boolean[]) TensorReader.newArray(this, info(), NativeCodes.ARRAY_BOOLEAN, false);
  }

  /**
   * Raw 16-bit elements of INT16, UINT16, FLOAT16 or BFLOAT16, in logical order.
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public short[] toShortArray() {
    return (short[]) TensorReader.newArray(this, info(), NativeCodes.ARRAY_SHORT, false);
  }

  /**
   * Raw elements of INT32 or UINT32, in logical order.
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public int[] toIntArray() {
    return (int[]) TensorReader.newArray(this, info(), NativeCodes.ARRAY_INT, false);
  }

  /**
   * Raw elements of INT64 or UINT64, in logical order.
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public long[] toLongArray() {
    return (long[]) TensorReader.newArray(this, info(), NativeCodes.ARRAY_LONG, false);
  }

  /**
   * Elements in logical order: FLOAT32 as they are, FLOAT16 and BFLOAT16 widened exactly, COMPLEX64
   * as pairs (real, imaginary).
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public float[] toFloatArray() {
    return (float[]) TensorReader.newArray(this, info(), NativeCodes.ARRAY_FLOAT, false);
  }

  /**
   * Elements in logical order: FLOAT64 as they are, COMPLEX128 as pairs (real, imaginary).
   *
   * @return a new array
   * @throws IllegalStateException for another dtype
   */
  public double[] toDoubleArray() {
    return (double[]) TensorReader.newArray(this, info(), NativeCodes.ARRAY_DOUBLE, false);
  }

  /**
   * Copies all elements, in logical order, into an array that holds this dtype (see the toXArray
   * methods), or raw into a byte array.
   *
   * @param array a primitive array: byte[], boolean[], short[], int[], long[], float[] or double[]
   * @param offset index of the first element to write
   * @throws IllegalArgumentException when null, no primitive array, or too small from offset on
   * @throws IllegalStateException when such an array does not hold this dtype
   */
  public void copyTo(Object array, int offset) {
    TensorReader.into(this, info(), array, offset);
  }

  /**
   * Copies all elements, in logical order, to a buffer's position on, and moves the position behind
   * them. A ByteBuffer takes the raw elements of any dtype, in the buffer's byte order.
   *
   * @param buffer a writable buffer of the Java type that holds this dtype, or a ByteBuffer
   * @throws IllegalArgumentException when null, read-only, too small, or of another element type
   */
  public void copyTo(Buffer buffer) {
    TensorReader.into(this, info(), buffer);
  }

  /**
   * Overwrites all elements, in logical order, from an array that holds this dtype (see the
   * factories), or raw from a byte array; float[] into FLOAT16 and BFLOAT16 is rounded to nearest
   * even. Saves making a tensor for every call. What shares this memory changes too: views, a
   * direct buffer that it was made of, and the result of a model that gives its input back.
   *
   * @param array a primitive array: byte[], boolean[], short[], int[], long[], float[] or double[]
   * @param offset index of the first element to read
   * @throws IllegalArgumentException when null, of another element type, or too small from offset
   *     on; nothing is written then
   */
  public void copyFrom(Object array, int offset) {
    TensorWriter.from(this, info(), array, offset);
  }

  /**
   * Overwrites all elements from an array: {@link #copyFrom(Object, int)} from index 0.
   *
   * @param array a primitive array with as many elements as this tensor, or more
   * @throws IllegalArgumentException when null, of another element type, or too small
   */
  public void copyFrom(Object array) {
    TensorWriter.from(this, info(), array, 0);
  }

  /**
   * Overwrites all elements, in logical order, from a buffer's position on, and moves the position
   * behind them. A ByteBuffer gives the raw elements of any dtype, in the buffer's byte order.
   *
   * @param buffer a buffer of the Java type that holds this dtype, or a ByteBuffer
   * @throws IllegalArgumentException when null, too small, or of another element type
   */
  public void copyFrom(Buffer buffer) {
    TensorWriter.from(this, info(), buffer);
  }

  /**
   * The memory itself as a read-only view in native byte order, in logical order: no copy when this
   * tensor is contiguous, else a view of a contiguous copy. The memory lives for as long as the
   * view or any buffer derived from it, also after this tensor is closed.
   *
   * @return the view, position 0
   * @throws IllegalStateException when the tensor has more than 2^31-1 bytes or is not on the CPU
   */
  public ByteBuffer asByteBuffer() {
    TensorInfo known = info();
    if (known.nbytes() > Integer.MAX_VALUE) {
      throw new IllegalStateException("tensor of " + known.nbytes()
          + " bytes, more than the 2^31-1 of a ByteBuffer: use narrow(...)"
          + " to read it in parts, or as(MemorySegment.class) on Java 22");
    }
    long address = handle.enter();
    try {
      return TensorView.of(address);
    } finally {
      exit();
    }
  }

  /**
   * This tensor with elements of another dtype, converted as {@code torch.Tensor.to} does.
   *
   * @param dtype the wanted dtype
   * @return a new tensor
   */
  public Tensor to(DType dtype) {
    TensorData.notNull(dtype, "dtype");
    return to(dtype, info().device);
  }

  /**
   * This tensor on another device.
   *
   * @param device the wanted device
   * @return a new tensor
   * @throws IllegalArgumentException when libtorch has no such device
   */
  public Tensor to(Device device) {
    TensorData.notNull(device, "device");
    return to(info().dtype, device);
  }

  private Tensor to(DType dtype, Device device) {
    long address = handle.enter();
    try {
      return adopt(NativeTensor.to(address, dtype.jniCode, device.jniCode));
    } finally {
      exit();
    }
  }

  /**
   * This tensor in row-major memory, so that every getter gives the logical order.
   *
   * @return a new Tensor; on the same memory when it is contiguous already
   */
  public Tensor contiguous() {
    long address = handle.enter();
    try {
      return adopt(NativeTensor.contiguous(address));
    } finally {
      exit();
    }
  }

  /**
   * The same elements, in logical order, under another shape.
   *
   * @param shape dimensions; one of them may be -1, and is then derived
   * @return a new Tensor, on the same memory where strides allow it
   * @throws IllegalArgumentException when null or the number of elements differs
   */
  public Tensor reshape(long... shape) {
    TensorData.notNull(shape, "shape");
    long address = handle.enter();
    try {
      return adopt(NativeTensor.reshape(address, shape));
    } finally {
      exit();
    }
  }

  /**
   * A part of this tensor, on the same memory: so many elements of one dimension.
   *
   * @param dimension index of the dimension, from 0
   * @param start first element
   * @param length number of elements
   * @return a new Tensor of the same rank
   * @throws IndexOutOfBoundsException when the part does not lie inside, telling which bound
   */
  public Tensor narrow(int dimension, long start, long length) {
    long[] shape = info().shape;
    Objects.checkIndex(dimension, shape.length);
    Objects.checkFromIndexSize(start, length, shape[dimension]);
    long address = handle.enter();
    try {
      return adopt(NativeTensor.narrow(address, dimension, start, length));
    } finally {
      exit();
    }
  }

  /**
   * The memory itself as a view of another type; see {@link #asByteBuffer()} for what all views
   * have in common. {@code ByteBuffer} works everywhere; {@code java.lang.foreign.MemorySegment},
   * which holds more than 2^31-1 bytes, on Java 22 and later where torch4j was built with such a
   * JDK.
   *
   * @param <T> the type of the view
   * @param viewType ByteBuffer.class or MemorySegment.class
   * @return the view, read-only
   * @throws IllegalArgumentException for another type
   * @throws UnsupportedOperationException for MemorySegment where it is not to be had
   */
  public <T> T as(Class<T> viewType) {
    if (IValueChecks.notNull(viewType, "viewType") == ByteBuffer.class) {
      return viewType.cast(asByteBuffer());
    }
    if (!viewType.getName().equals("java.lang.foreign.MemorySegment")) {
      throw new IllegalArgumentException(
          "viewType must be ByteBuffer or java.lang.foreign.MemorySegment, got "
          + viewType.getName());
    }
    long bytes = nbytes();
    long address = handle.enter();
    try {
      return viewType.cast(TensorSegment.of(address, bytes));
    } finally {
      exit();
    }
  }

  /** Closes: the memory is freed when no call is using it. Does nothing when closed already. */
  @Override
  public void close() {
    handle.close();
  }

  /**
   * Whether {@link #close()} was called.
   *
   * @return true from close on
   */
  public boolean isClosed() {
    return handle.isClosed();
  }

  /**
   * {@code Tensor([2, 2], dtype=torch.float32)}, as the official bindings print, followed by the
   * values: the first of them when there are many.
   */
  @Override
  public String toString() {
    return isClosed() ? "Tensor(closed)" : TensorPrinter.print(this);
  }
}
