#include <jni.h>

#include "java_buffer.h"
#include "java_exception.h"

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8) != JNI_OK) {
    return JNI_ERR;
  }
  if (!torch4j::initJavaExceptions(env)) {
    return JNI_ERR;
  }
  torch4j::initJavaBuffers(vm);
  return JNI_VERSION_1_8;
}

JNIEXPORT void JNICALL JNI_OnUnload(JavaVM* vm, void*) {
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8) == JNI_OK) {
    torch4j::releaseJavaExceptions(env);
  }
}

}  // extern "C"
