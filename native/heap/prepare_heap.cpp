// libtorch4j_heap.so: makes the heap of the thread that loads it ready for libtorch's static initializers.
//
// They allocate 57 MB in small pieces (libtorch 2.13.0). On the first thread of a process that is cheap;
// every other thread has an arena of glibc's malloc that grows by mprotect, a page at a time: 12,000 system
// calls, and as many page faults. Here the arena is grown once, in large steps, and given back: glibc then
// returns the pages but keeps them accessible (malloc/arena.c, shrink_heap). With huge pages, where the
// kernel allows them on request, 29 page faults are left. A cold start of a tiny model takes 0.25 s and not
// 0.30.
//
// A library of its own, because libtorch4j.so needs libtorch, whose initializers run before anything in it.

#include <dlfcn.h>
#include <jni.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

/// Below 128 KiB, from where on malloc would map each block by itself (M_MMAP_THRESHOLD).
constexpr size_t kBlock = 120 << 10;
/// 60 MB: what libtorch takes, and less than the 64 MiB that a heap of an arena is limited to
/// (HEAP_MAX_SIZE).
constexpr int kCount = 512;
constexpr uintptr_t kHugePage = 2 << 20;
constexpr uintptr_t kHeap = 64 << 20;

/// Of another malloc nothing is known, and the sanitizers' would keep what is freed.
bool isGlibc() {
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(&malloc), &info) != 0 &&
         strstr(info.dli_fname, "/libc.so.6") != nullptr;
}

bool isMapped(const char* library) {
  void* found = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  if (found != nullptr) {
    dlclose(found);
  }
  return found != nullptr;
}

void askForHugePages(void* first, void* last) {
  uintptr_t start = (reinterpret_cast<uintptr_t>(first) + kHugePage - 1) & ~(kHugePage - 1);
  uintptr_t end = reinterpret_cast<uintptr_t>(last) & ~(kHugePage - 1);
  if (start < end && end - start < kHeap) {  // else the blocks lie in two heaps, with something between them
    madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);  // where it fails, it is slower
  }
}

void growHeap() {
  void* blocks[kCount];
  int count = 0;
  while (count < kCount && (blocks[count] = malloc(kBlock)) != nullptr) {
    count++;
  }
  if (count == kCount) {
    askForHugePages(blocks[0], blocks[count - 1]);
  }
  for (int i = 0; i < count; i++) {  // in this order the last one gives all back at once
    free(blocks[i]);
  }
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM*, void*) {
  if (isGlibc() && !isMapped("libtorch_cpu.so")) {
    growHeap();
  }
  return JNI_VERSION_1_8;
}
