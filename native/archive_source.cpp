#include "archive_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "crc32.h"

namespace torch4j {
namespace {

using caffe2::serialize::ReadAdapterInterface;

/// Stays in the second-level cache between reading and CRC.
constexpr size_t kChunk = size_t{1} << 17;

class Memory final : public ReadAdapterInterface {
 public:
  explicit Memory(const ModelSource& source) : source_(source) {}

  size_t size() const override { return source_.size; }

  size_t read(uint64_t position, void* to, size_t count, const char*) const override {
    if (position >= source_.size) {
      return 0;
    }
    size_t available = std::min(count, source_.size - static_cast<size_t>(position));
    std::memcpy(to, source_.data + position, available);
    return available;
  }

 private:
  ModelSource source_;
};

[[noreturn]] void failed(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

class File final : public ReadAdapterInterface {
 public:
  explicit File(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) {
      failed("cannot open it");
    }
    struct stat facts{};
    if (::fstat(descriptor_, &facts) != 0) {
      int reason = errno;
      ::close(descriptor_);
      errno = reason;
      failed("cannot read it");
    }
    size_ = static_cast<size_t>(facts.st_size);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() override { ::close(descriptor_); }

  size_t size() const override { return size_; }

  size_t read(uint64_t position, void* to, size_t count, const char*) const override {
    size_t done = 0;
    while (done < count) {
      ssize_t got = ::pread(descriptor_, static_cast<char*>(to) + done, count - done,
                            static_cast<off_t>(position + done));
      if (got < 0 && errno == EINTR) {
        continue;
      }
      if (got < 0) {
        failed("cannot read it");
      }
      if (got == 0) {
        break;
      }
      done += static_cast<size_t>(got);
    }
    return done;
  }

 private:
  int descriptor_;
  size_t size_ = 0;
};

class Checked final : public ReadAdapterInterface {
 public:
  Checked(std::shared_ptr<ReadAdapterInterface> inner, std::vector<Span>& spans)
      : inner_(std::move(inner)), spans_(spans) {}

  size_t size() const override { return inner_->size(); }

  size_t read(uint64_t position, void* to, size_t count, const char* what) const override {
    Span* span = next(position);
    if (span == nullptr) {
      return inner_->read(position, to, count, what);
    }
    size_t done = 0;
    while (done < count) {
      size_t part = std::min(kChunk, count - done);
      char* here = static_cast<char*>(to) + done;
      size_t got = inner_->read(position + done, here, part, what);
      size_t inside = std::min<uint64_t>(got, span->size - span->done);
      span->crc = crc32(span->crc, here, inside);
      span->done += inside;
      done += got;
      if (got < part) {
        break;
      }
    }
    return done;
  }

 private:
  /// The span that goes on at this position; none when it is read out of order, and then stays unchecked
  /// here.
  Span* next(uint64_t position) const {
    auto after = std::upper_bound(spans_.begin(), spans_.end(), position,
                                  [](uint64_t at, const Span& span) { return at < span.start; });
    if (after == spans_.begin()) {
      return nullptr;
    }
    Span& span = *std::prev(after);
    return !span.whole() && position == span.start + span.done ? &span : nullptr;
  }

  std::shared_ptr<ReadAdapterInterface> inner_;
  std::vector<Span>& spans_;
};

}  // namespace

std::shared_ptr<ReadAdapterInterface> openArchive(const ModelSource& source, std::vector<Span>& spans) {
  std::shared_ptr<ReadAdapterInterface> archive;
  if (source.path.empty()) {
    archive = std::make_shared<Memory>(source);
  } else {
    archive = std::make_shared<File>(source.path);
  }
  if (spans.empty() || !hasFastCrc32()) {
    return archive;
  }
  return std::make_shared<Checked>(std::move(archive), spans);
}

}  // namespace torch4j
