package org.pytorch;

import java.util.Arrays;

/** What a tensor is, without its elements: asked of libtorch once, when first wanted. */
final class TensorInfo {
  final DType dtype;
  final MemoryFormat memoryFormat;
  final Device device;
  /** Whether memory order is the logical order. */
  final boolean contiguous;
  final long[] shape;
  final long numel;
  private final long[] stride;

  private TensorInfo(DType dtype, MemoryFormat memoryFormat, Device device, boolean contiguous,
      long[] shape, long[] stride) {
    this.dtype = dtype;
    this.memoryFormat = memoryFormat;
    this.device = device;
    this.contiguous = contiguous;
    this.shape = shape;
    this.stride = stride;
    this.numel = TensorShape.numel(shape);
  }

  /** Of a tensor that Java makes: its memory format is what the maker said. */
  static TensorInfo made(DType dtype, long[] shape, MemoryFormat format) {
    boolean contiguous = format == MemoryFormat.CONTIGUOUS;
    return new TensorInfo(dtype, format, Device.CPU, contiguous, shape.clone(), null);
  }

  static TensorInfo read(long[] described) {
    int rank = (described.length - NativeCodes.INFO_SIZES) / 2;
    int strides = NativeCodes.INFO_SIZES + rank;
    return new TensorInfo(DType.fromCode(described[NativeCodes.INFO_DTYPE]),
        MemoryFormat.fromCode(described[NativeCodes.INFO_MEMORY_FORMAT]),
        Device.fromCode(described[NativeCodes.INFO_DEVICE]),
        described[NativeCodes.INFO_CONTIGUOUS] != 0,
        Arrays.copyOfRange(described, NativeCodes.INFO_SIZES, strides),
        Arrays.copyOfRange(described, strides, strides + rank));
  }

  /** Strides in elements, or null when nobody has asked libtorch yet. */
  long[] stride() {
    return stride;
  }

  long nbytes() {
    return Math.multiplyExact(numel, dtype.itemSize());
  }

  /** Java elements of an array of that kind that hold the tensor; raw bytes for a byte array. */
  long arrayLength(int arrayKind) {
    boolean raw = arrayKind == NativeCodes.ARRAY_BYTE && dtype.arrayKind != arrayKind;
    return raw ? nbytes() : TensorData.rawCount(dtype, numel);
  }
}
