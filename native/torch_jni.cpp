// org.pytorch.NativeTorch
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/core/Generator.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <org_pytorch_NativeTorch.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <unistd.h>

#include <sstream>
#include <string>

#include "codes.h"
#include "guard.h"
#include "java_bytes.h"
#include "java_exception.h"
#include "memory.h"
#include "threads.h"

namespace torch4j {
namespace {

// libtorch has no function for its version, but its build settings hold "TORCH_VERSION=2.13.0, ".
std::string runtimeVersion() {
  constexpr std::string_view kKey = "TORCH_VERSION=";
  std::string config = at::show_config();
  size_t at = config.find(kKey);
  if (at == std::string::npos) {
    return "unknown";
  }
  size_t start = at + kKey.size();
  return config.substr(start, config.find_first_of(", \n", start) - start);
}

std::string info() {
  std::ostringstream out;
  adoptThreads();
  out << "libtorch: " << runtimeVersion() << "\nCPU capability: " << at::get_cpu_capability()
      << "\nintra-op threads: " << at::get_num_threads()
      << "\ninter-op threads: " << at::get_num_interop_threads()
      << "\nCUDA: " << (at::hasCUDA() ? "yes" : "no");
  return out.str();
}

void setInterop(int threads) {
  try {
    at::set_num_interop_threads(threads);
  } catch (const c10::Error&) {
    throw Failure{ERROR_ILLEGAL_STATE,
                  "the number of inter-op threads is set already, or such work has started: it is " +
                      std::to_string(at::get_num_interop_threads())};
  }
}

// Global, so that operators that one library registers are seen by the next.
void loadOperators(const std::string& path) {
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    throw Failure{ERROR_LOAD, std::string("cannot load operator library: ") + dlerror()};
  }
}

}  // namespace
}  // namespace torch4j

using namespace torch4j;

extern "C" {

JNIEXPORT jbyteArray JNICALL Java_org_pytorch_NativeTorch_versions(JNIEnv* env, jclass) {
  return guard(env, jbyteArray{nullptr}, [&] {
    return toByteArray(env,
                       std::string(TORCH4J_VERSION "\n" TORCH4J_LIBTORCH_VERSION "\n") + runtimeVersion());
  });
}

JNIEXPORT jbyteArray JNICALL Java_org_pytorch_NativeTorch_info(JNIEnv* env, jclass) {
  return guard(env, jbyteArray{nullptr}, [&] { return toByteArray(env, info()); });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTorch_setNumThreads(JNIEnv* env, jclass, jint threads) {
  guard(env, [&] { setThreads(threads); });
}

JNIEXPORT jint JNICALL Java_org_pytorch_NativeTorch_getNumThreads(JNIEnv* env, jclass) {
  return guard(env, jint{0}, [&] {
    adoptThreads();
    return static_cast<jint>(at::get_num_threads());
  });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTorch_limitThreads(JNIEnv* env, jclass, jint processors) {
  guard(env, [&] { limitThreads(processors); });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTorch_configureMemory(JNIEnv* env, jclass, jlong limit,
                                                                    jlong step, jlong cacheLimit) {
  guard(env, [&] { configureMemory(limit, step, cacheLimit); });
}

JNIEXPORT jlongArray JNICALL Java_org_pytorch_NativeTorch_memoryUse(JNIEnv* env, jclass) {
  return guard(env, jlongArray{nullptr}, [&] {
    MemoryUse use = memoryUse();
    jlong fields[4];
    fields[MEMORY_BYTES] = use.bytes;
    fields[MEMORY_PEAK] = use.peak;
    fields[MEMORY_CACHED] = use.cached;
    fields[MEMORY_LIMIT] = use.limit;
    jlongArray array = env->NewLongArray(std::size(fields));
    checkJava(env);
    env->SetLongArrayRegion(array, 0, std::size(fields), fields);
    return array;
  });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTorch_releaseCache(JNIEnv* env, jclass) {
  guard(env, [&] { releaseCache(); });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTorch_setNumInteropThreads(JNIEnv* env, jclass, jint threads) {
  guard(env, [&] { setInterop(threads); });
}

JNIEXPORT jint JNICALL Java_org_pytorch_NativeTorch_getNumInteropThreads(JNIEnv* env, jclass) {
  return guard(env, jint{0}, [&] { return static_cast<jint>(at::get_num_interop_threads()); });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTorch_manualSeed(JNIEnv* env, jclass, jlong seed) {
  guard(env, [&] { at::manual_seed(static_cast<uint64_t>(seed)); });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTorch_loadLibrary(JNIEnv* env, jclass, jbyteArray path) {
  guard(env, [&] { loadOperators(fromByteArray(env, path)); });
}

JNIEXPORT jboolean JNICALL Java_org_pytorch_NativeTorch_hasOperator(JNIEnv* env, jclass, jbyteArray name) {
  return guard(env, jboolean{JNI_FALSE}, [&] {
    auto symbol = c10::Symbol::fromQualString(fromByteArray(env, name));
    return static_cast<jboolean>(!torch::jit::getAllOperatorsFor(symbol).empty());
  });
}

JNIEXPORT jint JNICALL Java_org_pytorch_NativeTorch_openFile(JNIEnv* env, jclass, jbyteArray path) {
  return guard(env, jint{-1}, [&] { return open(fromByteArray(env, path).c_str(), O_RDONLY | O_CLOEXEC); });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeTorch_closeFile(JNIEnv*, jclass, jint descriptor) {
  close(descriptor);
}

}  // extern "C"
