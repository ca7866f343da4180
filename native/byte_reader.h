// Reads what ValueWriter.java wrote.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "codes.h"
#include "java_exception.h"

namespace torch4j {

/// A cursor over bytes; reading beyond the end throws.
class ByteReader {
 public:
  ByteReader(const char* data, size_t size) : data_(data), size_(size) {}

  template <typename T>
  T read() {
    T value;
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
    return value;
  }

  int tag() { return read<uint8_t>(); }
  size_t count() { return static_cast<size_t>(read<int32_t>()); }

  std::string_view string() {
    size_t size = count();
    return {take(size), size};
  }

  size_t position() const { return at_; }
  void seek(size_t position) { at_ = position; }

 private:
  const char* take(size_t size) {
    if (size > size_ - at_) {
      throw Failure{ERROR_TORCH, "torch4j: arguments end too early (a bug in torch4j)"};
    }
    const char* start = data_ + at_;
    at_ += size;
    return start;
  }

  const char* data_;
  size_t size_;
  size_t at_ = 0;
};

}  // namespace torch4j
