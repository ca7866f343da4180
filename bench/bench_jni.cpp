// The same C++ loop inside the JVM, for a ratio that no difference between processes disturbs; and a native
// method that does nothing: the floor below which no call across the border can be.
#include <dlfcn.h>
#include <jni.h>

#include <memory>

#include "loop.h"

namespace {

std::unique_ptr<Loop> gLoop;

std::string text(JNIEnv* env, jstring string) {
  const char* characters = env->GetStringUTFChars(string, nullptr);
  std::string copy(characters);
  env->ReleaseStringUTFChars(string, characters);
  return copy;
}

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_Bench_open(JNIEnv* env, jclass, jstring path, jstring mode, jstring shape,
                                       jstring option);
JNIEXPORT jdoubleArray JNICALL Java_Bench_loop(JNIEnv* env, jclass, jint calls);
JNIEXPORT void JNICALL Java_Bench_nothing(JNIEnv*, jclass);
JNIEXPORT jlong JNICALL Java_Bench_mallocs(JNIEnv*, jclass);

JNIEXPORT void JNICALL Java_Bench_open(JNIEnv* env, jclass, jstring path, jstring mode, jstring shape,
                                       jstring option) {
  gLoop = std::make_unique<Loop>(text(env, path), text(env, mode), text(env, shape), text(env, option));
}

JNIEXPORT jdoubleArray JNICALL Java_Bench_loop(JNIEnv* env, jclass, jint calls) {
  Round round = gLoop->round(calls);
  jdouble numbers[] = {round.mean, round.p99, round.least};
  jdoubleArray array = env->NewDoubleArray(3);
  env->SetDoubleArrayRegion(array, 0, 3, numbers);
  return array;
}

JNIEXPORT void JNICALL Java_Bench_nothing(JNIEnv*, jclass) {}

JNIEXPORT jlong JNICALL Java_Bench_mallocs(JNIEnv*, jclass) {
  // count_malloc.cpp, where it is preloaded
  auto* count = reinterpret_cast<long (*)()>(dlsym(RTLD_DEFAULT, "torch4jMallocs"));
  return count == nullptr ? -1 : count();
}

}  // extern "C"
