// A tensor as the number that Java holds: the address of its TensorImpl, with one reference owned by Java.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/core/TensorBody.h>
#include <jni.h>

namespace torch4j {

using TensorPointer = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

/// Gives the reference to Java.
inline jlong release(at::Tensor tensor) { return reinterpret_cast<jlong>(tensor.unsafeReleaseTensorImpl()); }

/// A further reference for the length of a call; Java keeps its own.
inline at::Tensor borrow(jlong address) {
  return at::Tensor(TensorPointer::reclaim_copy(reinterpret_cast<c10::TensorImpl*>(address)));
}

/// Gives Java's reference up.
inline void drop(jlong address) { TensorPointer::reclaim(reinterpret_cast<c10::TensorImpl*>(address)); }

}  // namespace torch4j
