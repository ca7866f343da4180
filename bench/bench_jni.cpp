// The same C++ loop inside the JVM: for a ratio that no difference between processes disturbs.
#include <jni.h>

#include <memory>

#include "loop.h"

namespace {
std::unique_ptr<Loop> gLoop;
}

extern "C" {

JNIEXPORT void JNICALL Java_Bench_open(JNIEnv* env, jclass, jstring path, jstring shape);
JNIEXPORT jdouble JNICALL Java_Bench_loop(JNIEnv* env, jclass, jint calls);

JNIEXPORT void JNICALL Java_Bench_open(JNIEnv* env, jclass, jstring path, jstring shape) {
  gLoop =
      std::make_unique<Loop>(env->GetStringUTFChars(path, nullptr), env->GetStringUTFChars(shape, nullptr));
}

JNIEXPORT jdouble JNICALL Java_Bench_loop(JNIEnv*, jclass, jint calls) { return gLoop->nanosPerCall(calls); }

}  // extern "C"
