package org.pytorch;

import java.lang.annotation.Native;

/**
 * Numbers that Java and C++ share. javac writes them into a header, where static_assert compares
 * them with libtorch's own, so that each is typed once.
 */
final class NativeCodes {
  private NativeCodes() {}

  // c10::ScalarType
  @Native static final int UINT8 = 0;
  @Native static final int INT8 = 1;
  @Native static final int INT16 = 2;
  @Native static final int INT32 = 3;
  @Native static final int INT64 = 4;
  @Native static final int FLOAT16 = 5;
  @Native static final int FLOAT32 = 6;
  @Native static final int FLOAT64 = 7;
  @Native static final int COMPLEX64 = 9;
  @Native static final int COMPLEX128 = 10;
  @Native static final int BOOL = 11;
  @Native static final int BFLOAT16 = 15;
  @Native static final int UINT16 = 27;
  @Native static final int UINT32 = 28;
  @Native static final int UINT64 = 29;

  // c10::DeviceType
  @Native static final int DEVICE_CPU = 0;
  @Native static final int DEVICE_CUDA = 1;
  @Native static final int DEVICE_VULKAN = 10;

  // Memory formats, with the official bindings' numbers.
  @Native static final int CONTIGUOUS = 1;
  @Native static final int CHANNELS_LAST = 2;
  @Native static final int CHANNELS_LAST_3D = 3;

  // Tags of values on their way across; 1 to 14 are the official bindings' type codes.
  @Native static final int TAG_NONE = 1;
  @Native static final int TAG_TENSOR = 2;
  @Native static final int TAG_BOOL = 3;
  @Native static final int TAG_LONG = 4;
  @Native static final int TAG_DOUBLE = 5;
  @Native static final int TAG_STRING = 6;
  @Native static final int TAG_TUPLE = 7;
  @Native static final int TAG_BOOL_LIST = 8;
  @Native static final int TAG_LONG_LIST = 9;
  @Native static final int TAG_DOUBLE_LIST = 10;
  @Native static final int TAG_TENSOR_LIST = 11;
  @Native static final int TAG_LIST = 12;
  @Native static final int TAG_DICT_STRING_KEY = 13;
  @Native static final int TAG_DICT_LONG_KEY = 14;
  @Native static final int TAG_DICT = 15;
  @Native static final int TAG_COMPLEX = 16;
  @Native static final int TAG_DEVICE = 17;
  @Native static final int TAG_NAMED_TUPLE = 18;

  /** Nesting deeper than this is refused on both sides, long before a native stack is used up. */
  @Native static final int MAX_DEPTH = 500;

  // Java arrays by element type.
  @Native static final int ARRAY_BYTE = 0;
  @Native static final int ARRAY_BOOLEAN = 1;
  @Native static final int ARRAY_SHORT = 2;
  @Native static final int ARRAY_INT = 3;
  @Native static final int ARRAY_LONG = 4;
  @Native static final int ARRAY_FLOAT = 5;
  @Native static final int ARRAY_DOUBLE = 6;

  // What a C++ exception becomes (NativeErrors makes the Java object).
  @Native static final int ERROR_TORCH = 0;
  @Native static final int ERROR_LOAD = 1;
  @Native static final int ERROR_SCHEMA = 2;
  @Native static final int ERROR_SCRIPT = 3;
  @Native static final int ERROR_ILLEGAL_ARGUMENT = 4;
  @Native static final int ERROR_ILLEGAL_STATE = 5;
  @Native static final int ERROR_INDEX = 6;
  @Native static final int ERROR_OUT_OF_MEMORY = 7;
  @Native static final int ERROR_IO = 8;
  @Native static final int ERROR_UNSUPPORTED = 9;

  // Flags of loading.
  @Native static final int LOAD_FREEZE = 1;
  @Native static final int LOAD_OPTIMIZE = 2;

  // What NativeModule.values is asked for.
  @Native static final int VALUES_PARAMETERS = 0;
  @Native static final int VALUES_BUFFERS = 1;
  @Native static final int VALUES_METHODS = 2;
  @Native static final int VALUES_OPERATORS = 3;

  // Fields of NativeTorch.memoryUse.
  @Native static final int MEMORY_BYTES = 0;
  @Native static final int MEMORY_PEAK = 1;
  @Native static final int MEMORY_CACHED = 2;
  @Native static final int MEMORY_LIMIT = 3;

  // Fields of NativeTensor.describe, followed by sizes and strides.
  @Native static final int INFO_DTYPE = 0;
  @Native static final int INFO_MEMORY_FORMAT = 1;
  @Native static final int INFO_DEVICE = 2;
  @Native static final int INFO_CONTIGUOUS = 3;
  @Native static final int INFO_SIZES = 4;
}
