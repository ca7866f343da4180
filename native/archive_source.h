// What libtorch reads an archive from.
#pragma once

#include <caffe2/serialize/read_adapter_interface.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace torch4j {

/// Where the archive is: a path, or bytes that stay valid while it is loaded.
struct ModelSource {
  std::string path;
  const char* data = nullptr;
  size_t size = 0;
};

/// A stored member of an archive, whose CRC is taken as libtorch reads it: while the bytes are in the cache.
struct Span {
  uint64_t start = 0;
  uint64_t size = 0;
  uint64_t done = 0;  // read so far, in order from the start
  uint32_t crc = 0;

  bool whole() const { return done == size; }
};

/// Spans are sorted by start and do not overlap; they must outlive the adapter, which changes them.
std::shared_ptr<caffe2::serialize::ReadAdapterInterface> openArchive(const ModelSource& source,
                                                                     std::vector<Span>& spans);

}  // namespace torch4j
