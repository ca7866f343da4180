// Native memory: what libtorch holds in CPU memory, counted, bounded, and kept for reuse.
#pragma once

#include <jni.h>

#include <cstdint>

namespace torch4j {

struct MemoryUse {
  int64_t bytes = 0;   // held by tensors, module weights and intermediate results
  int64_t peak = 0;    // most that bytes ever was
  int64_t cached = 0;  // freed, and kept for reuse
  int64_t limit = 0;   // bytes must not go beyond
};

/// Puts torch4j's allocator before libtorch's own. Called once, from JNI_OnLoad; false leaves a Java
/// exception pending.
bool initMemory(JavaVM* vm, JNIEnv* env);

/// `limit`: an allocation beyond it fails. `step`: so many new bytes after the last reclaim make the next one
/// worth it.
void configureMemory(int64_t limit, int64_t step, int64_t cacheLimit);

/// Exact but for the last 64 KiB of each other thread.
MemoryUse memoryUse();

/// Gives cached blocks back.
void releaseCache();

}  // namespace torch4j
