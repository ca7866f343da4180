#include "java_exception.h"

#include "java_bytes.h"

namespace torch4j {
namespace {

// Set in JNI_OnLoad, before any other native method can run, and constant from then on.
jclass gErrors = nullptr;
jmethodID gMake = nullptr;

jbyteArray bytesOrNull(JNIEnv* env, const std::string& text) {
  return text.empty() ? nullptr : toByteArray(env, text);
}

}  // namespace

bool initJavaExceptions(JNIEnv* env) {
  jclass local = env->FindClass("org/pytorch/NativeErrors");
  if (local == nullptr) {
    return false;
  }
  gErrors = static_cast<jclass>(env->NewGlobalRef(local));
  env->DeleteLocalRef(local);
  if (gErrors == nullptr) {
    return false;
  }
  gMake = env->GetStaticMethodID(gErrors, "make", "(I[B[B[B)Ljava/lang/Throwable;");
  return gMake != nullptr;
}

void releaseJavaExceptions(JNIEnv* env) {
  if (gErrors != nullptr) {
    env->DeleteGlobalRef(gErrors);
    gErrors = nullptr;
  }
}

void raise(JNIEnv* env, int code, const std::string& message, const std::string& scriptTrace,
           const std::string& nativeTrace) noexcept {
  try {
    jobject error = env->CallStaticObjectMethod(gErrors, gMake, code, toByteArray(env, message),
                                                bytesOrNull(env, scriptTrace), bytesOrNull(env, nativeTrace));
    // When Java could not even make it, what it threw instead is pending.
    if (!env->ExceptionCheck()) {
      env->Throw(static_cast<jthrowable>(error));
    }
  } catch (...) {
    // toByteArray failed: its OutOfMemoryError is pending.
  }
}

}  // namespace torch4j
