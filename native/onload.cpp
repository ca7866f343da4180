#include <dlfcn.h>
#include <jni.h>

#include "java_buffer.h"
#include "java_exception.h"
#include "memory.h"

namespace {

/// libtorch goes on calling torch4j's allocator when the class loader that loaded this library is gone.
void stayLoaded() {
  static int here;
  Dl_info info;
  if (dladdr(&here, &info) != 0) {
    dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  }
}

}  // namespace

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
  stayLoaded();
  if (!torch4j::initMemory(vm, env)) {
    return JNI_ERR;
  }
  return JNI_VERSION_1_8;
}

JNIEXPORT void JNICALL JNI_OnUnload(JavaVM* vm, void*) {
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8) == JNI_OK) {
    torch4j::releaseJavaExceptions(env);
  }
}

}  // extern "C"
