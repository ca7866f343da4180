package org.pytorch;

/** Element types of tensors: all dense dtypes of libtorch. */
public enum DType {
  /** {@code torch.uint8}; in Java a raw {@code byte}: 200 reads as {@code (byte) -56}. */
  UINT8(NativeCodes.UINT8, 1, NativeCodes.ARRAY_BYTE),
  /** {@code torch.int8}. */
  INT8(NativeCodes.INT8, 1, NativeCodes.ARRAY_BYTE),
  /** {@code torch.int32}. */
  INT32(NativeCodes.INT32, 4, NativeCodes.ARRAY_INT),
  /** {@code torch.float32}. */
  FLOAT32(NativeCodes.FLOAT32, 4, NativeCodes.ARRAY_FLOAT),
  /** {@code torch.int64}. */
  INT64(NativeCodes.INT64, 8, NativeCodes.ARRAY_LONG),
  /** {@code torch.float64}. */
  FLOAT64(NativeCodes.FLOAT64, 8, NativeCodes.ARRAY_DOUBLE),
  /** {@code torch.bool}; only 0 and 1 ever cross. */
  BOOL(NativeCodes.BOOL, 1, NativeCodes.ARRAY_BOOLEAN),
  /** {@code torch.int16}. */
  INT16(NativeCodes.INT16, 2, NativeCodes.ARRAY_SHORT),
  /** {@code torch.uint16}; in Java a raw {@code short}. */
  UINT16(NativeCodes.UINT16, 2, NativeCodes.ARRAY_SHORT),
  /** {@code torch.uint32}; in Java a raw {@code int}. */
  UINT32(NativeCodes.UINT32, 4, NativeCodes.ARRAY_INT),
  /** {@code torch.uint64}; in Java a raw {@code long}. */
  UINT64(NativeCodes.UINT64, 8, NativeCodes.ARRAY_LONG),
  /** {@code torch.float16} (IEEE 754 binary16); in Java its 16 bits as a {@code short}. */
  FLOAT16(NativeCodes.FLOAT16, 2, NativeCodes.ARRAY_SHORT),
  /** {@code torch.bfloat16}; in Java its 16 bits as a {@code short}. */
  BFLOAT16(NativeCodes.BFLOAT16, 2, NativeCodes.ARRAY_SHORT),
  /** {@code torch.complex64}; in Java two floats, real and imaginary. */
  COMPLEX64(NativeCodes.COMPLEX64, 8, NativeCodes.ARRAY_FLOAT),
  /** {@code torch.complex128}; in Java two doubles, real and imaginary. */
  COMPLEX128(NativeCodes.COMPLEX128, 16, NativeCodes.ARRAY_DOUBLE);

  final int jniCode;
  private final int itemSize;
  /** The kind of Java array that holds the raw elements: one of NativeCodes.ARRAY_*. */
  final int arrayKind;

  DType(int jniCode, int itemSize, int arrayKind) {
    this.jniCode = jniCode;
    this.itemSize = itemSize;
    this.arrayKind = arrayKind;
  }

  /**
   * Bytes of one element.
   *
   * @return 1, 2, 4, 8 or 16
   */
  public int itemSize() {
    return itemSize;
  }

  boolean isComplex() {
    return this == COMPLEX64 || this == COMPLEX128;
  }

  /** Name as torch prints it, without {@code torch.}: {@code float32}. */
  String torchName() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  private static final DType[] BY_CODE = new DType[32];

  static {
    for (DType dtype : values()) {
      BY_CODE[dtype.jniCode] = dtype;
    }
  }

  static DType fromCode(long code) {
    return BY_CODE[(int) code];
  }
}
