// Throws every kind of C++ exception through the guard, for tests/test_guard.py.
#include <c10/util/Exception.h>
#include <jni.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

#include <ios>
#include <new>
#include <stdexcept>

#include "codes.h"
#include "guard.h"
#include "java_exception.h"

namespace {

void throwKind(JNIEnv* env, int kind) {
  switch (kind) {
    case 0:
      env->ThrowNew(env->FindClass("java/io/EOFException"), "of Java");
      throw torch4j::JavaExceptionPending{};
    case 1:
      throw torch4j::Failure{torch4j::ERROR_SCHEMA, "failure", "trace"};
    case 2:
      throw torch::jit::JITException("message of JITException");
    case 3:
      TORCH_CHECK(false, "broken \xff text");
    case 4:
      throw std::bad_alloc();
    case 5:
      throw std::ios_base::failure("disk");
    case 6:
      throw std::invalid_argument("argument");
    case 7:
      throw std::out_of_range("index");
    case 8:
      throw std::runtime_error("runtime");
    case 9:
      throw std::runtime_error(
          "DefaultCPUAllocator: can't allocate memory: you tried to allocate 77 bytes. Error");
    case 10:
      env->ThrowNew(env->FindClass("java/io/EOFException"), "wins");
      throw std::runtime_error("loses");
    default:
      throw 42;
  }
}

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_Throws_throwKind(JNIEnv* env, jclass, jint kind);
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*);

JNIEXPORT void JNICALL Java_Throws_throwKind(JNIEnv* env, jclass, jint kind) {
  torch4j::guard(env, [&] { throwKind(env, kind); });
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  JNIEnv* env = nullptr;
  vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8);
  return torch4j::initJavaExceptions(env) ? JNI_VERSION_1_8 : JNI_ERR;
}

}  // extern "C"
