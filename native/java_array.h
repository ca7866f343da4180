// Primitive arrays of Java by NativeCodes.ARRAY_*.
#pragma once

#include <jni.h>

#include <cstddef>

namespace torch4j {

size_t elementSize(jint kind);

/// Copies count elements from an index on; JNI checks the range. Region calls and not critical ones: those
/// may hold up the garbage collector of the whole JVM.
void copyFromJava(JNIEnv* env, jobject array, jint kind, jsize start, jsize count, void* to);
void copyToJava(JNIEnv* env, jobject array, jint kind, jsize start, jsize count, const void* from);

}  // namespace torch4j
