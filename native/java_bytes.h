// Byte arrays and the strings in them.
#pragma once

#include <jni.h>

#include <string>
#include <string_view>

namespace torch4j {

/// A new Java array. Throws JavaExceptionPending when the Java heap is full.
jbyteArray toByteArray(JNIEnv* env, std::string_view bytes);

/// A copy of a Java array; null gives "".
std::string fromByteArray(JNIEnv* env, jbyteArray array);

}  // namespace torch4j
