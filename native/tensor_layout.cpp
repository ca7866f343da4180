#include "tensor_layout.h"

#include <ATen/ops/dequantize.h>
#include <ATen/ops/resolve_conj.h>
#include <ATen/ops/resolve_neg.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>

#include <sstream>

#include "codes.h"
#include "java_exception.h"

namespace torch4j {
namespace {

bool knownDtype(c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Byte:
    case c10::ScalarType::Char:
    case c10::ScalarType::Short:
    case c10::ScalarType::Int:
    case c10::ScalarType::Long:
    case c10::ScalarType::Half:
    case c10::ScalarType::Float:
    case c10::ScalarType::Double:
    case c10::ScalarType::ComplexFloat:
    case c10::ScalarType::ComplexDouble:
    case c10::ScalarType::Bool:
    case c10::ScalarType::BFloat16:
    case c10::ScalarType::UInt16:
    case c10::ScalarType::UInt32:
    case c10::ScalarType::UInt64:
      return true;
    default:
      return false;
  }
}

[[noreturn]] void refuse(const std::string& what, const std::string& place) {
  throw Failure{ERROR_UNSUPPORTED, place + ": " + what};
}

template <typename Printable>
std::string text(const Printable& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

at::Tensor dense(const at::Tensor& tensor, const std::string& place) {
  if (tensor.is_nested()) {
    refuse("a nested tensor has no dense value; return to_padded_tensor(...) of it", place);
  }
  if (tensor.is_quantized()) {
    return at::dequantize(tensor);
  }
  return tensor.layout() == c10::kStrided ? tensor : tensor.to_dense();
}

void checkReadable(const at::Tensor& tensor, const std::string& place) {
  if (!knownDtype(tensor.scalar_type())) {
    refuse("dtype " + text(tensor.scalar_type()) + " has no org.pytorch.DType; convert it in the model",
           place);
  }
  if (!tensor.has_storage() || tensor.device().is_meta()) {
    refuse("a tensor on device " + tensor.device().str() + " has no elements", place);
  }
}

}  // namespace

bool isReadable(const at::Tensor& tensor) {
  return tensor.layout() == c10::kStrided && knownDtype(tensor.scalar_type()) && tensor.has_storage() &&
         !tensor.device().is_meta() && !tensor.requires_grad() && !tensor.is_conj() && !tensor.is_neg() &&
         !tensor.is_nested() && !tensor._is_zerotensor();
}

at::Tensor readable(const at::Tensor& tensor, const std::string& place) {
  if (isReadable(tensor)) {
    return tensor;
  }
  at::Tensor value = dense(tensor.detach(), place);
  if (value._is_zerotensor()) {
    value = value.clone();
  }
  value = at::resolve_neg(at::resolve_conj(value));
  checkReadable(value, place);
  return value;
}

int memoryFormatOf(const at::Tensor& tensor) {
  if (tensor.is_contiguous()) {
    return CONTIGUOUS;
  }
  if (tensor.is_contiguous(at::MemoryFormat::ChannelsLast)) {
    return CHANNELS_LAST;
  }
  return tensor.is_contiguous(at::MemoryFormat::ChannelsLast3d) ? CHANNELS_LAST_3D : CONTIGUOUS;
}

std::vector<int64_t> stridesFor(at::IntArrayRef sizes, int memoryFormat) {
  if (memoryFormat == CHANNELS_LAST) {
    return c10::get_channels_last_strides_2d(sizes);
  }
  if (memoryFormat == CHANNELS_LAST_3D) {
    return c10::get_channels_last_strides_3d(sizes);
  }
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * std::max<int64_t>(sizes[i], 1);
  }
  return strides;
}

}  // namespace torch4j
