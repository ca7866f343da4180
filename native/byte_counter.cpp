#include "byte_counter.h"

#include <atomic>

namespace torch4j {
namespace {

constexpr int64_t kShare = 1 << 16;

std::atomic<int64_t> gTotal{0};
std::atomic<int64_t> gPeak{0};

void add(int64_t change) {
  int64_t now = gTotal.fetch_add(change, std::memory_order_relaxed) + change;
  int64_t peak = gPeak.load(std::memory_order_relaxed);
  while (now > peak && !gPeak.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

struct Share {
  int64_t bytes = 0;
  bool ended = false;  // tensors may be freed later still, by destructors of other thread-locals

  void flush() {
    add(bytes);
    bytes = 0;
  }

  ~Share() {
    flush();
    ended = true;
  }
};

thread_local Share tShare;

}  // namespace

void countBytes(int64_t change) {
  Share& share = tShare;
  share.bytes += change;
  if (share.bytes >= kShare || share.bytes <= -kShare || share.ended) {
    share.flush();
  }
}

void flushBytes() { tShare.flush(); }

int64_t totalBytes() { return gTotal.load(std::memory_order_relaxed); }

int64_t peakBytes() { return gPeak.load(std::memory_order_relaxed); }

}  // namespace torch4j
