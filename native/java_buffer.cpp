#include "java_buffer.h"

#include "codes.h"
#include "java_exception.h"

namespace torch4j {
namespace {

// Set once in JNI_OnLoad: a process has one JVM.
JavaVM* gVm = nullptr;

}  // namespace

void initJavaBuffers(JavaVM* vm) noexcept { gVm = vm; }

BufferReference::BufferReference(JNIEnv* env, jobject buffer) : global_(env->NewGlobalRef(buffer)) {
  if (global_ == nullptr) {
    throw Failure{ERROR_OUT_OF_MEMORY, "the JVM has no room for another global reference"};
  }
}

BufferReference::~BufferReference() {
  void* env = nullptr;
  // The last tensor may die on a thread of libtorch, which the JVM does not know yet.
  if (gVm->GetEnv(&env, JNI_VERSION_1_8) == JNI_EDETACHED) {
    gVm->AttachCurrentThreadAsDaemon(&env, nullptr);
  }
  if (env != nullptr) {
    static_cast<JNIEnv*>(env)->DeleteGlobalRef(global_);
  }
}

char* directAddress(JNIEnv* env, jobject buffer) {
  auto* address = static_cast<char*>(env->GetDirectBufferAddress(buffer));
  if (address == nullptr) {
    throw Failure{ERROR_ILLEGAL_ARGUMENT, "data must be a direct buffer"};
  }
  return address;
}

}  // namespace torch4j
