// Freed large blocks, kept for the next allocation of about their size.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace torch4j {

/// Fresh pages cost more than the work on them: the kernel zeroes each at its first touch. Bounded, oldest
/// out first.
class BlockCache {
 public:
  /// From this size on a block is worth keeping: below, malloc itself keeps pages.
  static constexpr size_t kMinBlock = size_t{1} << 18;

  /// A block of at least `size` bytes, hardly larger; null when there is none.
  void* take(size_t size);

  /// Keeps the block; false when it is to be freed. May free older ones.
  bool put(void* block, size_t size);

  /// Frees everything.
  void clear();

  void setLimit(size_t bytes);
  size_t bytes() const;

 private:
  struct Block {
    void* data;
    size_t size;
  };

  /// The search is linear, so that there is an end; 64 were too few for eight callers of one convolutional
  /// net, which then spent 2 ms of each call in the kernel, for fresh pages.
  static constexpr size_t kMaxBlocks = 256;

  /// Takes out what does not fit any more; the caller frees it outside the lock.
  std::vector<Block> trimmed(size_t limit);

  mutable std::mutex lock_;
  std::vector<Block> blocks_;  // oldest first
  size_t bytes_ = 0;
  size_t limit_ = 0;
};

}  // namespace torch4j
