#include "threads.h"

#include <ATen/Parallel.h>

#include <atomic>

namespace torch4j {
namespace {

std::atomic<int> gThreads{0};  // 0: as libtorch has it
thread_local int tThreads = 0;

}  // namespace

void setThreads(int threads) {
  gThreads.store(threads, std::memory_order_relaxed);
  adoptThreads();
}

void adoptThreads() {
  int threads = gThreads.load(std::memory_order_relaxed);
  if (threads != tThreads) {
    tThreads = threads;
    at::set_num_threads(threads);
  }
}

void limitThreads(int processors) {
  if (at::get_num_threads() > processors) {
    setThreads(processors);
  }
}

}  // namespace torch4j
