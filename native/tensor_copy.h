// Elements into tensors that exist.
#pragma once

#include <ATen/core/TensorBody.h>
#include <jni.h>

#include <vector>

namespace torch4j {

/// Bytes of a Java byte[] may be anything; libtorch's kernels rely on 0 and 1.
void normalizeBools(const at::Tensor& tensor);

/// Fills a tensor in logical order, whatever its strides; Java has checked kind and count.
void copyFromArray(JNIEnv* env, const at::Tensor& tensor, jobject array, jint kind, jint start, jint count);

/// Into FLOAT16 and BFLOAT16, rounded to nearest even.
void copyFromFloats(JNIEnv* env, const at::Tensor& tensor, jfloatArray array, jint start, jint count);

/// From a direct buffer in native order.
void copyFromBuffer(JNIEnv* env, const at::Tensor& tensor, jobject buffer, jlong offset);

/// Copies each tensor into one of the same dtype and shape; all are checked before one is written. Throws
/// Failure naming the one that does not fit.
void assign(const std::vector<at::Tensor>& to, const std::vector<at::Tensor>& from);

}  // namespace torch4j
