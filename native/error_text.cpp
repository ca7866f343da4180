#include "error_text.h"

#include <string_view>

namespace torch4j {
namespace {

// The interpreter frames an error so (interpreter.cpp of libtorch): this line, the frames, then the error.
constexpr std::string_view kHead = "The following operation failed in the TorchScript interpreter.\n";

// The frames end where a line starts at the margin with the class name of the error.
size_t startOfError(const std::string& text, size_t from) {
  size_t line = from;
  while (line < text.size()) {
    size_t end = text.find('\n', line);
    end = end == std::string::npos ? text.size() : end;
    std::string_view content(text.data() + line, end - line);
    bool frame = content.empty() || content.front() == ' ' || content.front() == '\t' ||
                 content.starts_with("Traceback of TorchScript");
    if (!frame && content.find(':') != std::string_view::npos) {
      return line;
    }
    line = end + 1;
  }
  return from;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

// libtorch's own errors carry no class of their own; that it is a RuntimeError in Python tells nothing. A
// class that the model raised is named as Python names it.
std::string withoutPrefix(std::string text) {
  for (std::string_view prefix : {"RuntimeError: ", "builtins."}) {
    if (text.starts_with(prefix)) {
      return text.substr(prefix.size());
    }
  }
  return text;
}

}  // namespace

bool isOutOfMemory(const std::string& text) {
  return text.find("DefaultCPUAllocator: ") != std::string::npos ||
         text.find("the native memory limit is ") != std::string::npos ||  // memory.cpp
         text.find("out of memory") != std::string::npos;
}

ErrorText splitErrorText(const std::string& text) {
  if (!text.starts_with(kHead)) {
    return {trimmed(text), ""};
  }
  size_t error = startOfError(text, kHead.size());
  return {trimmed(withoutPrefix(text.substr(error))), trimmed(text.substr(0, error))};
}

}  // namespace torch4j
