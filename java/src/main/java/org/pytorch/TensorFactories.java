package org.pytorch;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * The static factories of {@link Tensor}, which inherits them: {@code Tensor.fromBlob(...)}.
 *
 * <p>Arrays are copied once, straight into memory that libtorch allocated. The official buffer
 * overloads ({@code fromBlob(XBuffer, ...)}) share the memory of a direct buffer, and keep the
 * buffer reachable for as long as any tensor uses it; a read-only buffer is copied, since a model
 * may write its input. {@code fromBuffer} takes every kind of buffer.
 *
 * <p>All throw IllegalArgumentException when the data is null, the shape is null or has a negative
 * dimension, when the number of elements of data and shape differ, and when the memory format does
 * not fit the rank of the shape. A memory format says how the given data is laid out: with
 * CHANNELS_LAST the shape is NCHW and the data NHWC.
 */
abstract class TensorFactories {
  TensorFactories() {}

  /**
   * Allocates a direct buffer in native byte order, as the official {@code fromBlob} wants it.
   *
   * @param numElements number of elements, not negative
   * @return the buffer, all zero
   * @throws IllegalArgumentException when negative or when it would exceed 2^31-1 bytes
   */
  public static ByteBuffer allocateByteBuffer(int numElements) {
    return TensorData.allocate(numElements, 1);
  }

  /**
   * Allocates a direct buffer in native byte order, as the official {@code fromBlob} wants it.
   *
   * @param numElements number of elements, not negative
   * @return the buffer, all zero
   * @throws IllegalArgumentException when negative or when it would exceed 2^31-1 bytes
   */
  public static IntBuffer allocateIntBuffer(int numElements) {
    return TensorData.allocate(numElements, 4).asIntBuffer();
  }

  /**
   * Allocates a direct buffer in native byte order, as the official {@code fromBlob} wants it.
   *
   * @param numElements number of elements, not negative
   * @return the buffer, all zero
   * @throws IllegalArgumentException when negative or when it would exceed 2^31-1 bytes
   */
  public static FloatBuffer allocateFloatBuffer(int numElements) {
    return TensorData.allocate(numElements, 4).asFloatBuffer();
  }

  /**
   * Allocates a direct buffer in native byte order, as the official {@code fromBlob} wants it.
   *
   * @param numElements number of elements, not negative
   * @return the buffer, all zero
   * @throws IllegalArgumentException when negative or when it would exceed 2^31-1 bytes
   */
  public static LongBuffer allocateLongBuffer(int numElements) {
    return TensorData.allocate(numElements, 8).asLongBuffer();
  }

  /**
   * Allocates a direct buffer in native byte order, as the official {@code fromBlob} wants it.
   *
   * @param numElements number of elements, not negative
   * @return the buffer, all zero
   * @throws IllegalArgumentException when negative or when it would exceed 2^31-1 bytes
   */
  public static DoubleBuffer allocateDoubleBuffer(int numElements) {
    return TensorData.allocate(numElements, 8).asDoubleBuffer();
  }

  /**
   * Makes a tensor of UINT8 from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of UINT8
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlobUnsigned(byte[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.UINT8, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of UINT8 from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of UINT8
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlobUnsigned(byte[] data, long[] shape) {
    return fromBlobUnsigned(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of INT8 from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of INT8
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(byte[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.INT8, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of INT8 from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of INT8
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(byte[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of INT32 from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of INT32
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(int[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.INT32, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of INT32 from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of INT32
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(int[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of FLOAT32 from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of FLOAT32
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(float[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.FLOAT32, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of FLOAT32 from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of FLOAT32
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(float[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of INT64 from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of INT64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(long[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.INT64, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of INT64 from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of INT64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(long[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of FLOAT64 from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of FLOAT64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(double[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.FLOAT64, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of FLOAT64 from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of FLOAT64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(double[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of UINT8 on the memory of a direct, native-order buffer of as many elements.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of UINT8
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlobUnsigned(ByteBuffer data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromDirect(DType.UINT8, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of UINT8 on the memory of a direct, native-order buffer of as many elements,
   * contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of UINT8
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlobUnsigned(ByteBuffer data, long[] shape) {
    return fromBlobUnsigned(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of INT8 on the memory of a direct, native-order buffer of as many elements.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of INT8
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(ByteBuffer data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromDirect(DType.INT8, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of INT8 on the memory of a direct, native-order buffer of as many elements,
   * contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of INT8
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(ByteBuffer data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of INT32 on the memory of a direct, native-order buffer of as many elements.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of INT32
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(IntBuffer data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromDirect(DType.INT32, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of INT32 on the memory of a direct, native-order buffer of as many elements,
   * contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of INT32
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(IntBuffer data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of FLOAT32 on the memory of a direct, native-order buffer of as many elements.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of FLOAT32
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(FloatBuffer data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromDirect(DType.FLOAT32, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of FLOAT32 on the memory of a direct, native-order buffer of as many elements,
   * contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of FLOAT32
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(FloatBuffer data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of INT64 on the memory of a direct, native-order buffer of as many elements.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of INT64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(LongBuffer data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromDirect(DType.INT64, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of INT64 on the memory of a direct, native-order buffer of as many elements,
   * contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of INT64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(LongBuffer data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of FLOAT64 on the memory of a direct, native-order buffer of as many elements.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of FLOAT64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(DoubleBuffer data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromDirect(DType.FLOAT64, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of FLOAT64 on the memory of a direct, native-order buffer of as many elements,
   * contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of FLOAT64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(DoubleBuffer data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of BOOL from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of BOOL
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(boolean[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.BOOL, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of BOOL from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of BOOL
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(boolean[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of INT16 from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of INT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(short[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.INT16, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of INT16 from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of INT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlob(short[] data, long[] shape) {
    return fromBlob(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of UINT16 from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of UINT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlobUnsigned(short[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.UINT16, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of UINT16 from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of UINT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlobUnsigned(short[] data, long[] shape) {
    return fromBlobUnsigned(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of UINT32 from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of UINT32
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlobUnsigned(int[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.UINT32, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of UINT32 from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of UINT32
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlobUnsigned(int[] data, long[] shape) {
    return fromBlobUnsigned(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of UINT64 from a copy of an array.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of UINT64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlobUnsigned(long[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.UINT64, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of UINT64 from a copy of an array, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of UINT64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBlobUnsigned(long[] data, long[] shape) {
    return fromBlobUnsigned(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of FLOAT16 from a copy of an array of raw 16-bit patterns.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of FLOAT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromHalf(short[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.FLOAT16, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of FLOAT16 from a copy of an array of raw 16-bit patterns, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of FLOAT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromHalf(short[] data, long[] shape) {
    return fromHalf(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of BFLOAT16 from a copy of an array of raw 16-bit patterns.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of BFLOAT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBfloat16(short[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.BFLOAT16, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of BFLOAT16 from a copy of an array of raw 16-bit patterns, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of BFLOAT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBfloat16(short[] data, long[] shape) {
    return fromBfloat16(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of COMPLEX64 from a copy of an array of pairs (real, imaginary).
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of COMPLEX64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromComplex(float[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.COMPLEX64, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of COMPLEX64 from a copy of an array of pairs (real, imaginary), contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of COMPLEX64
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromComplex(float[] data, long[] shape) {
    return fromComplex(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of COMPLEX128 from a copy of an array of pairs (real, imaginary).
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of COMPLEX128
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromComplex(double[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromArray(DType.COMPLEX128, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of COMPLEX128 from a copy of an array of pairs (real, imaginary), contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of COMPLEX128
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromComplex(double[] data, long[] shape) {
    return fromComplex(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of FLOAT16 from floats, rounded to nearest even.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of FLOAT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromHalf(float[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromFloats(DType.FLOAT16, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of FLOAT16 from floats, rounded to nearest even, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of FLOAT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromHalf(float[] data, long[] shape) {
    return fromHalf(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of BFLOAT16 from floats, rounded to nearest even.
   *
   * @param data elements in the order of memoryFormat
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of BFLOAT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBfloat16(float[] data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromFloats(DType.BFLOAT16, data, shape, memoryFormat);
  }

  /**
   * Makes a tensor of BFLOAT16 from floats, rounded to nearest even, contiguous.
   *
   * @param data elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of BFLOAT16
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBfloat16(float[] data, long[] shape) {
    return fromBfloat16(data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of any dtype from the remaining elements of any buffer: position and limit are
   * honoured and left as they are. Direct, writable, native-order memory is shared; heap,
   * big-endian, read-only and unaligned buffers are copied, by value.
   *
   * @param dtype the dtype of the tensor
   * @param data a ByteBuffer (raw elements in its byte order), or the buffer of the Java type that
   *     holds the dtype's raw elements (a FloatBuffer for COMPLEX64, with two floats for each
   *     element)
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of that dtype
   * @throws IllegalArgumentException as the class says, or when the buffer's type does not fit the
   *     dtype
   */
  public static Tensor fromBuffer(
      DType dtype, Buffer data, long[] shape, MemoryFormat memoryFormat) {
    return TensorData.fromBuffer(dtype, data, shape, memoryFormat);
  }

  /**
   * As {@link #fromBuffer(DType, Buffer, long[], MemoryFormat)}, contiguous.
   *
   * @param dtype the dtype of the tensor
   * @param data the elements, row-major
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of that dtype
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBuffer(DType dtype, Buffer data, long[] shape) {
    return fromBuffer(dtype, data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Makes a tensor of any dtype from a copy of its raw bytes.
   *
   * @param dtype the dtype of the tensor
   * @param data elements in native byte order, {@code dtype.itemSize()} bytes each
   * @param shape dimensions; empty for a scalar; copied
   * @param memoryFormat how data is laid out
   * @return a tensor of that dtype
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBytes(
      DType dtype, byte[] data, long[] shape, MemoryFormat memoryFormat) {
    TensorData.notNull(data, "Data array");
    return fromBuffer(
        dtype, ByteBuffer.wrap(data).order(ByteOrder.nativeOrder()), shape, memoryFormat);
  }

  /**
   * As {@link #fromBytes(DType, byte[], long[], MemoryFormat)}, contiguous.
   *
   * @param dtype the dtype of the tensor
   * @param data elements, row-major, in native byte order
   * @param shape dimensions; empty for a scalar; copied
   * @return a tensor of that dtype
   * @throws IllegalArgumentException as the class says
   */
  public static Tensor fromBytes(DType dtype, byte[] data, long[] shape) {
    return fromBytes(dtype, data, shape, MemoryFormat.CONTIGUOUS);
  }

  /**
   * Number of elements of a shape.
   *
   * @param shape dimensions; empty for a scalar
   * @return their product; 1 for a scalar
   * @throws IllegalArgumentException when null, negative, or when the product exceeds 2^63-1
   */
  public static long numel(long[] shape) {
    return TensorShape.numel(shape);
  }
}
