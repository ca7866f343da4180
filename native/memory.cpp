#include "memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <c10/util/Exception.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <limits>

#include "block_cache.h"
#include "byte_counter.h"

namespace torch4j {
namespace {

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

std::atomic<int64_t> gLimit{kUnlimited};
std::atomic<int64_t> gStep{kUnlimited};
/// Beyond this, what the GC left is reclaimed first.
std::atomic<int64_t> gTrigger{kUnlimited};

// Set in initMemory and constant from then on.
JavaVM* gVm = nullptr;
jclass gPressure = nullptr;
jmethodID gReclaim = nullptr;

/// Never destroyed: tensors may be freed while the process ends.
BlockCache& cache() {
  static auto* blocks = new BlockCache();
  return *blocks;
}

/// How far the live bytes may grow before the next reclaim: by half, so that a large live set is not
/// collected ever again for nothing.
int64_t nextTrigger(int64_t live) {
  int64_t limit = gLimit.load(std::memory_order_relaxed);
  int64_t growth = std::max(gStep.load(std::memory_order_relaxed), live / 2);
  return growth > limit - live ? limit : live + growth;
}

/// Lets Java close what became unreachable. Only on a thread that Java knows, with nothing of Java's pending:
/// the threads that libtorch started itself do without.
void reclaim() {
  thread_local bool inside = false;
  JNIEnv* env = nullptr;
  if (inside || gVm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8) != JNI_OK ||
      env->ExceptionCheck()) {
    return;
  }
  inside = true;
  env->CallStaticVoidMethod(gPressure, gReclaim);
  inside = false;
  // Out of stack or heap: the allocation itself may still succeed.
  if (env->ExceptionCheck()) {
    env->ExceptionClear();
  }
}

/// What is freed between smaller blocks in use stays with malloc, until it is told to look for whole pages.
void giveBack() {
  cache().clear();
  malloc_trim(0);
}

[[noreturn]] void refuse(size_t size, int64_t limit) {
  // error_text.cpp knows it by the words "the native memory limit is", also when the interpreter has wrapped
  // it.
  TORCH_CHECK(false, "cannot allocate ", size, " bytes: ", totalBytes(),
              " bytes are in use and the native memory limit is ", limit);
}

void makeRoom(size_t size) {
  flushBytes();
  int64_t limit = gLimit.load(std::memory_order_relaxed);
  auto asked = static_cast<int64_t>(std::min<size_t>(size, kUnlimited));
  if (asked > limit) {
    refuse(size, limit);
  }
  reclaim();
  flushBytes();
  int64_t live = totalBytes();
  gTrigger.store(nextTrigger(live), std::memory_order_relaxed);
  if (asked > limit - live) {
    cache().clear();
    refuse(size, limit);
  }
}

void* fresh(size_t size) {
  try {
    return c10::alloc_cpu(size);
  } catch (const c10::Error&) {
    // The machine has less than the limit says.
    giveBack();
    reclaim();
    return c10::alloc_cpu(size);
  }
}

/// What malloc keeps at the top of each heap is twice the largest block of a mapping of its own that was
/// freed (M_MMAP_THRESHOLD in mallopt(3)). It never sees that of a large tensor, since the cache keeps those:
/// it stayed at the 712 KiB of libtorch's start, and a net whose blocks below kMinBlock come to more met 200
/// page faults a call where a C++ program meets 5. One of 1 MiB is enough for that; other values of up to 8
/// were no better. Does nothing where the user has set malloc's thresholds.
void letMallocKeep() {
  void* volatile block = malloc(size_t{1} << 20);  // volatile: a compiler may leave out the pair
  free(block);
}

void report(void* data, int64_t change) {
  if (c10::memoryProfilingEnabled()) {
    auto total = static_cast<size_t>(std::max<int64_t>(totalBytes(), 0));
    c10::reportMemoryUsageToProfiler(data, change, total, total, c10::Device(c10::kCPU));
  }
}

void release(void* data) {
  if (data == nullptr) {
    return;
  }
  size_t size = malloc_usable_size(data);
  countBytes(-static_cast<int64_t>(size));
  report(data, -static_cast<int64_t>(size));
  if (size < BlockCache::kMinBlock || !cache().put(data, size)) {
    c10::free_cpu(data);
  }
}

class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t size) override {
    void* data = size == 0 ? nullptr : block(size);
    return {data, data, &release, c10::Device(c10::kCPU)};
  }

  c10::DeleterFnPtr raw_deleter() const override { return &release; }

  void copy_data(void* to, const void* from, size_t count) const override {
    default_copy_data(to, from, count);
  }

 private:
  static void* block(size_t size) {
    int64_t trigger = gTrigger.load(std::memory_order_relaxed);
    if (size > static_cast<uint64_t>(std::max<int64_t>(trigger - totalBytes(), 0))) {
      makeRoom(size);
    }
    void* data = size < BlockCache::kMinBlock ? nullptr : cache().take(size);
    if (data == nullptr) {
      data = fresh(size);
    }
    auto usable = static_cast<int64_t>(malloc_usable_size(data));
    countBytes(usable);
    report(data, usable);
    return data;
  }
};

}  // namespace

bool initMemory(JavaVM* vm, JNIEnv* env) {
  jclass local = env->FindClass("org/pytorch/Pressure");
  if (local == nullptr) {
    return false;
  }
  gPressure = static_cast<jclass>(env->NewGlobalRef(local));
  env->DeleteLocalRef(local);
  gReclaim = env->GetStaticMethodID(gPressure, "reclaim", "()V");
  if (gReclaim == nullptr) {
    return false;
  }
  gVm = vm;
  letMallocKeep();
  // libtorch keeps the pointer for ever, and takes one of a higher priority than its own.
  static auto* allocator = new CountingAllocator();
  c10::SetCPUAllocator(allocator, 1);
  return true;
}

void configureMemory(int64_t limit, int64_t step, int64_t cacheLimit) {
  gLimit.store(limit, std::memory_order_relaxed);
  gStep.store(step, std::memory_order_relaxed);
  gTrigger.store(nextTrigger(totalBytes()), std::memory_order_relaxed);
  cache().setLimit(static_cast<size_t>(cacheLimit));
}

MemoryUse memoryUse() {
  flushBytes();
  return {totalBytes(), peakBytes(), static_cast<int64_t>(cache().bytes()),
          gLimit.load(std::memory_order_relaxed)};
}

void releaseCache() { giveBack(); }

}  // namespace torch4j
