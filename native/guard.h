// The one wrapper around the body of every native method.
#pragma once

#include <jni.h>

#include <exception>
#include <utility>

namespace torch4j {

/// Makes the exception that is being handled a pending Java exception. The table is in guard.cpp.
void translateException(JNIEnv* env) noexcept;

/// Runs the body; whatever it throws becomes a Java exception, and the fallback is returned.
template <typename Result, typename Body>
Result guard(JNIEnv* env, Result fallback, Body&& body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    translateException(env);
    return fallback;
  }
}

template <typename Body>
void guard(JNIEnv* env, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
  } catch (...) {
    translateException(env);
  }
}

}  // namespace torch4j
