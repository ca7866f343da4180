// Primitive arrays of Java by NativeCodes.ARRAY_*.
#pragma once

#include <jni.h>

#include <cstddef>

namespace torch4j {

size_t elementSize(jint kind);

/// Copies count elements from an index on; a range outside the array is an exception of JNI. Large arrays are
/// pinned, piece by piece, since the garbage collector waits meanwhile.
void copyFromJava(JNIEnv* env, jobject array, jint kind, jsize start, jsize count, void* to);
void copyToJava(JNIEnv* env, jobject array, jint kind, jsize start, jsize count, const void* from);

}  // namespace torch4j
