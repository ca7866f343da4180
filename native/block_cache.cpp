#include "block_cache.h"

#include <c10/core/impl/alloc_cpu.h>

namespace torch4j {
namespace {

/// An eighth more than asked for may be lost to a block that does not fit.
bool fits(size_t block, size_t size) { return block >= size && block - size <= size / 8; }

}  // namespace

void* BlockCache::take(size_t size) {
  std::lock_guard<std::mutex> guard(lock_);
  // The newest first: it is the likeliest to be in a cache of the processor still.
  for (size_t i = blocks_.size(); i-- > 0;) {
    if (fits(blocks_[i].size, size)) {
      Block found = blocks_[i];
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(i));
      bytes_ -= found.size;
      return found.data;
    }
  }
  return nullptr;
}

bool BlockCache::put(void* block, size_t size) {
  std::vector<Block> old;
  {
    std::lock_guard<std::mutex> guard(lock_);
    if (size > limit_) {
      return false;
    }
    old = trimmed(limit_ - size);
    blocks_.push_back({block, size});
    bytes_ += size;
  }
  for (const Block& each : old) {
    c10::free_cpu(each.data);
  }
  return true;
}

std::vector<BlockCache::Block> BlockCache::trimmed(size_t limit) {
  size_t count = 0;
  for (; count < blocks_.size() && (bytes_ > limit || blocks_.size() - count >= kMaxBlocks); count++) {
    bytes_ -= blocks_[count].size;
  }
  auto end = blocks_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Block> out(blocks_.begin(), end);
  blocks_.erase(blocks_.begin(), end);
  return out;
}

void BlockCache::clear() {
  std::vector<Block> old;
  {
    std::lock_guard<std::mutex> guard(lock_);
    old.swap(blocks_);
    bytes_ = 0;
  }
  for (const Block& each : old) {
    c10::free_cpu(each.data);
  }
}

void BlockCache::setLimit(size_t bytes) {
  {
    std::lock_guard<std::mutex> guard(lock_);
    limit_ = bytes;
  }
  clear();
}

size_t BlockCache::bytes() const {
  std::lock_guard<std::mutex> guard(lock_);
  return bytes_;
}

}  // namespace torch4j
