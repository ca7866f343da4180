// Loaded with LD_PRELOAD: counts this thread's allocations, for a count of what a call allocates natively.
#include <dlfcn.h>

#include <cstddef>

extern "C" {

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static thread_local long count __attribute__((tls_model("initial-exec"))) = 0;

long torch4jMallocs() { return count; }

void* malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void* calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  count++;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? 12 : 0;  // ENOMEM
}

}  // extern "C"
