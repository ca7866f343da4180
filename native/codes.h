// Numbers shared with Java: typed once, in NativeCodes.java, and compared with libtorch's own here.
#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <org_pytorch_NativeCodes.h>

namespace torch4j {

enum Code : int {
  CONTIGUOUS = org_pytorch_NativeCodes_CONTIGUOUS,
  CHANNELS_LAST = org_pytorch_NativeCodes_CHANNELS_LAST,
  CHANNELS_LAST_3D = org_pytorch_NativeCodes_CHANNELS_LAST_3D,
  TAG_NONE = org_pytorch_NativeCodes_TAG_NONE,
  TAG_TENSOR = org_pytorch_NativeCodes_TAG_TENSOR,
  TAG_BOOL = org_pytorch_NativeCodes_TAG_BOOL,
  TAG_LONG = org_pytorch_NativeCodes_TAG_LONG,
  TAG_DOUBLE = org_pytorch_NativeCodes_TAG_DOUBLE,
  TAG_STRING = org_pytorch_NativeCodes_TAG_STRING,
  TAG_TUPLE = org_pytorch_NativeCodes_TAG_TUPLE,
  TAG_BOOL_LIST = org_pytorch_NativeCodes_TAG_BOOL_LIST,
  TAG_LONG_LIST = org_pytorch_NativeCodes_TAG_LONG_LIST,
  TAG_DOUBLE_LIST = org_pytorch_NativeCodes_TAG_DOUBLE_LIST,
  TAG_TENSOR_LIST = org_pytorch_NativeCodes_TAG_TENSOR_LIST,
  TAG_LIST = org_pytorch_NativeCodes_TAG_LIST,
  TAG_DICT_STRING_KEY = org_pytorch_NativeCodes_TAG_DICT_STRING_KEY,
  TAG_DICT_LONG_KEY = org_pytorch_NativeCodes_TAG_DICT_LONG_KEY,
  TAG_DICT = org_pytorch_NativeCodes_TAG_DICT,
  TAG_COMPLEX = org_pytorch_NativeCodes_TAG_COMPLEX,
  TAG_DEVICE = org_pytorch_NativeCodes_TAG_DEVICE,
  TAG_NAMED_TUPLE = org_pytorch_NativeCodes_TAG_NAMED_TUPLE,
  MAX_DEPTH = org_pytorch_NativeCodes_MAX_DEPTH,
  ARRAY_BYTE = org_pytorch_NativeCodes_ARRAY_BYTE,
  ARRAY_BOOLEAN = org_pytorch_NativeCodes_ARRAY_BOOLEAN,
  ARRAY_SHORT = org_pytorch_NativeCodes_ARRAY_SHORT,
  ARRAY_INT = org_pytorch_NativeCodes_ARRAY_INT,
  ARRAY_LONG = org_pytorch_NativeCodes_ARRAY_LONG,
  ARRAY_FLOAT = org_pytorch_NativeCodes_ARRAY_FLOAT,
  ARRAY_DOUBLE = org_pytorch_NativeCodes_ARRAY_DOUBLE,
  ERROR_TORCH = org_pytorch_NativeCodes_ERROR_TORCH,
  ERROR_LOAD = org_pytorch_NativeCodes_ERROR_LOAD,
  ERROR_SCHEMA = org_pytorch_NativeCodes_ERROR_SCHEMA,
  ERROR_SCRIPT = org_pytorch_NativeCodes_ERROR_SCRIPT,
  ERROR_ILLEGAL_ARGUMENT = org_pytorch_NativeCodes_ERROR_ILLEGAL_ARGUMENT,
  ERROR_ILLEGAL_STATE = org_pytorch_NativeCodes_ERROR_ILLEGAL_STATE,
  ERROR_INDEX = org_pytorch_NativeCodes_ERROR_INDEX,
  ERROR_OUT_OF_MEMORY = org_pytorch_NativeCodes_ERROR_OUT_OF_MEMORY,
  ERROR_IO = org_pytorch_NativeCodes_ERROR_IO,
  ERROR_UNSUPPORTED = org_pytorch_NativeCodes_ERROR_UNSUPPORTED,
  LOAD_FREEZE = org_pytorch_NativeCodes_LOAD_FREEZE,
  LOAD_OPTIMIZE = org_pytorch_NativeCodes_LOAD_OPTIMIZE,
  VALUES_PARAMETERS = org_pytorch_NativeCodes_VALUES_PARAMETERS,
  VALUES_BUFFERS = org_pytorch_NativeCodes_VALUES_BUFFERS,
  VALUES_METHODS = org_pytorch_NativeCodes_VALUES_METHODS,
  VALUES_OPERATORS = org_pytorch_NativeCodes_VALUES_OPERATORS,
  INFO_DTYPE = org_pytorch_NativeCodes_INFO_DTYPE,
  INFO_MEMORY_FORMAT = org_pytorch_NativeCodes_INFO_MEMORY_FORMAT,
  INFO_DEVICE = org_pytorch_NativeCodes_INFO_DEVICE,
  INFO_CONTIGUOUS = org_pytorch_NativeCodes_INFO_CONTIGUOUS,
  INFO_SIZES = org_pytorch_NativeCodes_INFO_SIZES,
  MEMORY_BYTES = org_pytorch_NativeCodes_MEMORY_BYTES,
  MEMORY_PEAK = org_pytorch_NativeCodes_MEMORY_PEAK,
  MEMORY_CACHED = org_pytorch_NativeCodes_MEMORY_CACHED,
  MEMORY_LIMIT = org_pytorch_NativeCodes_MEMORY_LIMIT,
};

#define TORCH4J_SAME(java, cpp) static_assert(org_pytorch_NativeCodes_##java == static_cast<int>(cpp), #java)

TORCH4J_SAME(UINT8, c10::ScalarType::Byte);
TORCH4J_SAME(INT8, c10::ScalarType::Char);
TORCH4J_SAME(INT16, c10::ScalarType::Short);
TORCH4J_SAME(INT32, c10::ScalarType::Int);
TORCH4J_SAME(INT64, c10::ScalarType::Long);
TORCH4J_SAME(FLOAT16, c10::ScalarType::Half);
TORCH4J_SAME(FLOAT32, c10::ScalarType::Float);
TORCH4J_SAME(FLOAT64, c10::ScalarType::Double);
TORCH4J_SAME(COMPLEX64, c10::ScalarType::ComplexFloat);
TORCH4J_SAME(COMPLEX128, c10::ScalarType::ComplexDouble);
TORCH4J_SAME(BOOL, c10::ScalarType::Bool);
TORCH4J_SAME(BFLOAT16, c10::ScalarType::BFloat16);
TORCH4J_SAME(UINT16, c10::ScalarType::UInt16);
TORCH4J_SAME(UINT32, c10::ScalarType::UInt32);
TORCH4J_SAME(UINT64, c10::ScalarType::UInt64);
TORCH4J_SAME(DEVICE_CPU, c10::DeviceType::CPU);
TORCH4J_SAME(DEVICE_CUDA, c10::DeviceType::CUDA);
TORCH4J_SAME(DEVICE_VULKAN, c10::DeviceType::Vulkan);

#undef TORCH4J_SAME

}  // namespace torch4j
