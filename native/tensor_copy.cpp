#include "tensor_copy.h"

#include <ATen/ops/empty.h>

#include <sstream>
#include <string>

#include "bulk_copy.h"
#include "codes.h"
#include "java_array.h"
#include "java_buffer.h"
#include "java_exception.h"

namespace torch4j {
namespace {

/// Memory to fill in logical order: the tensor's own where it lies so, else a tensor that finish() copies.
at::Tensor writable(const at::Tensor& tensor) {
  return tensor.device().is_cpu() && tensor.is_contiguous()
             ? tensor
             : at::empty(tensor.sizes(),
                         tensor.options().device(c10::kCPU).memory_format(c10::MemoryFormat::Contiguous));
}

void finish(const at::Tensor& tensor, const at::Tensor& filled) {
  if (!filled.is_same(tensor)) {
    tensor.copy_(filled);
  }
}

std::string kindOf(const at::Tensor& tensor) {
  std::ostringstream out;
  out << tensor.scalar_type() << ' ' << tensor.sizes();
  return out.str();
}

}  // namespace

void normalizeBools(const at::Tensor& tensor) {
  auto* bytes = static_cast<uint8_t*>(tensor.mutable_data_ptr());
  for (int64_t i = 0; i < tensor.numel(); i++) {
    bytes[i] = bytes[i] != 0;
  }
}

void copyFromArray(JNIEnv* env, const at::Tensor& tensor, jobject array, jint kind, jint start, jint count) {
  at::Tensor filled = writable(tensor);
  copyFromJava(env, array, kind, start, count, filled.mutable_data_ptr());
  if (tensor.scalar_type() == c10::ScalarType::Bool && kind == ARRAY_BYTE) {
    normalizeBools(filled);
  }
  finish(tensor, filled);
}

void copyFromFloats(JNIEnv* env, const at::Tensor& tensor, jfloatArray array, jint start, jint count) {
  at::Tensor wide = at::empty(tensor.sizes(), at::TensorOptions(c10::ScalarType::Float));
  copyFromJava(env, array, ARRAY_FLOAT, start, count, wide.mutable_data_ptr());
  tensor.copy_(wide);
}

void copyFromBuffer(JNIEnv* env, const at::Tensor& tensor, jobject buffer, jlong offset) {
  at::Tensor filled = writable(tensor);
  if (filled.nbytes() > 0) {
    copyBytes(filled.mutable_data_ptr(), directAddress(env, buffer) + offset, filled.nbytes());
  }
  if (tensor.scalar_type() == c10::ScalarType::Bool) {
    normalizeBools(filled);
  }
  finish(tensor, filled);
}

void assign(const std::vector<at::Tensor>& to, const std::vector<at::Tensor>& from) {
  for (size_t i = 0; i < to.size(); i++) {
    if (to[i].scalar_type() != from[i].scalar_type() || to[i].sizes() != from[i].sizes()) {
      throw Failure{ERROR_ILLEGAL_ARGUMENT, "outputs[" + std::to_string(i) + "]: the model returned " +
                                                kindOf(from[i]) + ", the tensor given is " + kindOf(to[i])};
    }
  }
  for (size_t i = 0; i < to.size(); i++) {
    to[i].copy_(from[i]);
  }
}

}  // namespace torch4j
