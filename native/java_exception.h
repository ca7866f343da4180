// Java exceptions out of C++.
#pragma once

#include <jni.h>

#include <string>

namespace torch4j {

/// Thrown in C++ when a Java exception is pending already: unwinds to the guard, which keeps that one.
struct JavaExceptionPending {};

/// An error of our own, with the Java exception that it becomes (NativeCodes.ERROR_*).
struct Failure {
  int code;
  std::string message;
  /// The whole text of the C++ exception behind it, if there was one.
  std::string trace = {};
};

/// Looks up what raising needs. Called once, from JNI_OnLoad; false leaves a Java exception pending.
bool initJavaExceptions(JNIEnv* env);
void releaseJavaExceptions(JNIEnv* env);

/// Makes the Java exception for a NativeCodes.ERROR_* code and leaves it pending.
void raise(JNIEnv* env, int code, const std::string& message, const std::string& scriptTrace = "",
           const std::string& nativeTrace = "") noexcept;

/// Throws JavaExceptionPending when the last JNI call left an exception.
inline void checkJava(JNIEnv* env) {
  if (env->ExceptionCheck()) {
    throw JavaExceptionPending{};
  }
}

}  // namespace torch4j
