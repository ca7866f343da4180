// Values from libtorch to Java.
#pragma once

#include <ATen/core/ivalue.h>
#include <jni.h>

#include <string>

namespace torch4j {

/// Encodes a value for ValueReader.java: the addresses of its tensors, which are Java's from then on, then
/// the value. A future is waited for, an enum is its value. Throws Failure that names type and place for what
/// has no Java value; then no tensor is leaked.
jbyteArray writeValue(JNIEnv* env, const c10::IValue& value, const std::string& root);

}  // namespace torch4j
