// How elements lie in memory, on the way to and from Java.
#pragma once

#include <ATen/core/TensorBody.h>

#include <string>

namespace torch4j {

/// A tensor that Java can read: dense, strided, of a dtype that DType has, without gradient, conjugate or
/// negative bit. The same tensor when it is so already. Throws Failure naming dtype or layout, and place,
/// for what has no dense value.
at::Tensor readable(const at::Tensor& tensor, const std::string& place);

/// True when readable() has nothing to do: the test that every output of every call goes through.
bool isReadable(const at::Tensor& tensor);

/// NativeCodes.CONTIGUOUS, CHANNELS_LAST or CHANNELS_LAST_3D; contiguous is asked first.
int memoryFormatOf(const at::Tensor& tensor);

/// Strides of a dense tensor in a NativeCodes memory format.
std::vector<int64_t> stridesFor(at::IntArrayRef sizes, int memoryFormat);

}  // namespace torch4j
