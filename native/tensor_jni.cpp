// org.pytorch.NativeTensor
#include <ATen/EmptyTensor.h>
#include <ATen/Parallel.h>
#include <ATen/core/DimVector.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>
#include <org_pytorch_NativeTensor.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "bulk_copy.h"
#include "codes.h"
#include "device.h"
#include "guard.h"
#include "java_array.h"
#include "java_buffer.h"
#include "java_exception.h"
#include "tensor_copy.h"
#include "tensor_handle.h"
#include "tensor_layout.h"

namespace torch4j {
namespace {

at::DimVector sizesOf(JNIEnv* env, jlongArray shape) {
  at::DimVector sizes(static_cast<size_t>(env->GetArrayLength(shape)));
  env->GetLongArrayRegion(shape, 0, static_cast<jsize>(sizes.size()), sizes.data());
  checkJava(env);
  return sizes;
}

c10::MemoryFormat formatFor(jint memoryFormat) {
  switch (memoryFormat) {
    case CHANNELS_LAST:
      return c10::MemoryFormat::ChannelsLast;
    case CHANNELS_LAST_3D:
      return c10::MemoryFormat::ChannelsLast3d;
    default:
      return c10::MemoryFormat::Contiguous;
  }
}

/// Past the dispatcher, which has nothing to decide here and takes longer than the rest.
at::Tensor emptyFor(at::IntArrayRef sizes, jint dtype, jint memoryFormat) {
  return at::Tensor(
      at::detail::empty_cpu(sizes, static_cast<c10::ScalarType>(dtype), false, formatFor(memoryFormat)));
}

at::Tensor fromArray(JNIEnv* env, jobject array, jint kind, jint dtype, jlongArray shape, jint format) {
  at::Tensor tensor = emptyFor(sizesOf(env, shape), dtype, format);
  copyFromJava(env, array, kind, 0, static_cast<jsize>(tensor.nbytes() / elementSize(kind)),
               tensor.mutable_data_ptr());
  if (dtype == static_cast<jint>(c10::ScalarType::Bool) && kind == ARRAY_BYTE) {
    normalizeBools(tensor);
  }
  return tensor;
}

at::Tensor fromBuffer(JNIEnv* env, jobject buffer, jlong offset, jint dtype, jlongArray shape, jint format) {
  at::DimVector sizes = sizesOf(env, shape);
  std::vector<int64_t> strides = stridesFor(sizes, format);
  at::TensorOptions options(static_cast<c10::ScalarType>(dtype));
  char* data = directAddress(env, buffer) + offset;
  if (reinterpret_cast<uintptr_t>(data) % options.dtype().itemsize() != 0) {
    // libtorch's kernels assume aligned elements.
    at::Tensor copy = at::empty_strided(sizes, strides, options);
    copyBytes(copy.mutable_data_ptr(), data, copy.nbytes());
    return copy;
  }
  auto reference = std::make_shared<BufferReference>(env, buffer);
  return at::from_blob(data, sizes, strides, [reference](void*) {}, options);
}

jlongArray describe(JNIEnv* env, const at::Tensor& tensor) {
  std::vector<jlong> fields(INFO_SIZES);
  fields[INFO_DTYPE] = static_cast<jlong>(tensor.scalar_type());
  fields[INFO_MEMORY_FORMAT] = memoryFormatOf(tensor);
  fields[INFO_DEVICE] = static_cast<jlong>(tensor.device().type());
  fields[INFO_CONTIGUOUS] = tensor.is_contiguous();
  fields.insert(fields.end(), tensor.sizes().begin(), tensor.sizes().end());
  fields.insert(fields.end(), tensor.strides().begin(), tensor.strides().end());
  jlongArray array = env->NewLongArray(static_cast<jsize>(fields.size()));
  if (array == nullptr) {
    throw JavaExceptionPending{};
  }
  env->SetLongArrayRegion(array, 0, static_cast<jsize>(fields.size()), fields.data());
  return array;
}

/// Elements in one row on the CPU: the same memory where that is so already.
at::Tensor flat(const at::Tensor& tensor, bool storageOrder) {
  at::Tensor onCpu = tensor.device().is_cpu() ? tensor : tensor.cpu();
  // In storage order only for what is dense as it lies: Java asks so for channels-last tensors.
  return storageOrder && onCpu.is_non_overlapping_and_dense() ? onCpu : onCpu.contiguous();
}

void toFloats(JNIEnv* env, const at::Tensor& tensor, jfloatArray array, jint start, jint count) {
  at::Tensor wide = flat(tensor, false).to(c10::ScalarType::Float);
  copyToJava(env, array, ARRAY_FLOAT, start, count, wide.const_data_ptr());
}

void* dataOf(const at::Tensor& tensor) {
  if (!tensor.device().is_cpu()) {
    throw Failure{ERROR_ILLEGAL_STATE,
                  "tensor is on " + tensor.device().str() + ", not on the CPU: use to(Device.CPU) first"};
  }
  // An empty tensor may have no memory at all, and JNI wants an address.
  static char nothing;
  return tensor.nbytes() == 0 ? &nothing : tensor.mutable_data_ptr();
}

jobject view(JNIEnv* env, const at::Tensor& tensor) {
  jobject buffer = env->NewDirectByteBuffer(dataOf(tensor), static_cast<jlong>(tensor.nbytes()));
  if (buffer == nullptr) {
    throw JavaExceptionPending{};
  }
  return buffer;
}

at::Tensor reshaped(JNIEnv* env, const at::Tensor& tensor, jlongArray shape) {
  at::DimVector sizes = sizesOf(env, shape);
  try {
    return tensor.reshape(sizes);
  } catch (const c10::Error& e) {
    throw Failure{ERROR_ILLEGAL_ARGUMENT, e.what_without_backtrace()};
  }
}

std::vector<at::Tensor> borrowAll(JNIEnv* env, jlongArray addresses) {
  std::vector<jlong> numbers(static_cast<size_t>(env->GetArrayLength(addresses)));
  env->GetLongArrayRegion(addresses, 0, static_cast<jsize>(numbers.size()), numbers.data());
  checkJava(env);
  std::vector<at::Tensor> tensors;
  for (jlong number : numbers) {
    tensors.push_back(borrow(number));
  }
  return tensors;
}

at::Tensor converted(const at::Tensor& tensor, jint dtype, jint device) {
  at::Tensor result = tensor.to(deviceFor(device), static_cast<c10::ScalarType>(dtype));
  // Always a tensor of its own, so that closing or writing one never touches the other.
  return result.is_same(tensor) ? result.alias() : result;
}

}  // namespace
}  // namespace torch4j

using namespace torch4j;

extern "C" {

JNIEXPORT void JNICALL Java_org_pytorch_NativeTensor_freeAll(JNIEnv* env, jclass, jlongArray tensors,
                                                             jint count) {
  guard(env, [&] {
    constexpr jint kPart = 64;
    jlong addresses[kPart];
    for (jint start = 0; start < count; start += kPart) {
      jint part = std::min(kPart, count - start);
      env->GetLongArrayRegion(tensors, start, part, addresses);
      checkJava(env);
      std::for_each(addresses, addresses + part, drop);
    }
  });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTensor_free(JNIEnv* env, jclass, jlong tensor) {
  guard(env, [&] { drop(tensor); });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeTensor_fromArray(JNIEnv* env, jclass, jobject array, jint kind,
                                                                jint dtype, jlongArray shape, jint format) {
  return guard(env, jlong{0}, [&] {
    c10::InferenceMode inference;
    return release(fromArray(env, array, kind, dtype, shape, format));
  });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeTensor_fromFloats(JNIEnv* env, jclass, jfloatArray values,
                                                                 jint dtype, jlongArray shape, jint format) {
  return guard(env, jlong{0}, [&] {
    c10::InferenceMode inference;
    jint wide = static_cast<jint>(c10::ScalarType::Float);
    // to() keeps the strides of a dense tensor.
    return release(
        fromArray(env, values, ARRAY_FLOAT, wide, shape, format).to(static_cast<c10::ScalarType>(dtype)));
  });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeTensor_fromBuffer(JNIEnv* env, jclass, jobject buffer,
                                                                 jlong offset, jint dtype, jlongArray shape,
                                                                 jint format) {
  return guard(env, jlong{0}, [&] {
    c10::InferenceMode inference;
    return release(fromBuffer(env, buffer, offset, dtype, shape, format));
  });
}

JNIEXPORT jlongArray JNICALL Java_org_pytorch_NativeTensor_describe(JNIEnv* env, jclass, jlong tensor) {
  return guard(env, jlongArray{nullptr}, [&] { return describe(env, borrow(tensor)); });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTensor_toArray(JNIEnv* env, jclass, jlong tensor, jobject array,
                                                             jint kind, jint start, jint count,
                                                             jboolean storageOrder) {
  guard(env, [&] {
    c10::InferenceMode inference;
    at::Tensor source = flat(borrow(tensor), storageOrder);
    copyToJava(env, array, kind, start, count, source.const_data_ptr());
  });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTensor_toFloats(JNIEnv* env, jclass, jlong tensor,
                                                              jfloatArray array, jint start, jint count) {
  guard(env, [&] {
    c10::InferenceMode inference;
    toFloats(env, borrow(tensor), array, start, count);
  });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTensor_copyFromArray(JNIEnv* env, jclass, jlong tensor,
                                                                   jobject array, jint kind, jint start,
                                                                   jint count) {
  guard(env, [&] {
    c10::InferenceMode inference;
    copyFromArray(env, borrow(tensor), array, kind, start, count);
  });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTensor_copyFromFloats(JNIEnv* env, jclass, jlong tensor,
                                                                    jfloatArray array, jint start,
                                                                    jint count) {
  guard(env, [&] {
    c10::InferenceMode inference;
    copyFromFloats(env, borrow(tensor), array, start, count);
  });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTensor_copyFromBuffer(JNIEnv* env, jclass, jlong tensor,
                                                                    jobject buffer, jlong offset) {
  guard(env, [&] {
    c10::InferenceMode inference;
    copyFromBuffer(env, borrow(tensor), buffer, offset);
  });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTensor_assign(JNIEnv* env, jclass, jlongArray to,
                                                            jlongArray from) {
  guard(env, [&] {
    c10::InferenceMode inference;
    assign(borrowAll(env, to), borrowAll(env, from));
  });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTensor_toBuffer(JNIEnv* env, jclass, jlong tensor,
                                                              jobject buffer, jlong offset) {
  guard(env, [&] {
    c10::InferenceMode inference;
    at::Tensor source = flat(borrow(tensor), false);
    if (source.nbytes() > 0) {
      copyBytes(directAddress(env, buffer) + offset, source.const_data_ptr(), source.nbytes());
    }
  });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeTensor_contiguous(JNIEnv* env, jclass, jlong tensor) {
  return guard(env, jlong{0}, [&] {
    c10::InferenceMode inference;
    return release(borrow(tensor).contiguous());
  });
}

JNIEXPORT jobject JNICALL Java_org_pytorch_NativeTensor_view(JNIEnv* env, jclass, jlong tensor) {
  return guard(env, jobject{nullptr}, [&] { return view(env, borrow(tensor)); });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeTensor_data(JNIEnv* env, jclass, jlong tensor) {
  return guard(env, jlong{0}, [&] { return reinterpret_cast<jlong>(dataOf(borrow(tensor))); });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeTensor_narrow(JNIEnv* env, jclass, jlong tensor,
                                                             jint dimension, jlong start, jlong length) {
  return guard(env, jlong{0}, [&] {
    c10::InferenceMode inference;
    return release(borrow(tensor).narrow(dimension, start, length));
  });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeTensor_to(JNIEnv* env, jclass, jlong tensor, jint dtype,
                                                         jint device) {
  return guard(env, jlong{0}, [&] {
    c10::InferenceMode inference;
    return release(converted(borrow(tensor), dtype, device));
  });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeTensor_reshape(JNIEnv* env, jclass, jlong tensor,
                                                              jlongArray shape) {
  return guard(env, jlong{0}, [&] {
    c10::InferenceMode inference;
    return release(reshaped(env, borrow(tensor), shape));
  });
}

}  // extern "C"
