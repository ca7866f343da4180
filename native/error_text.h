// Takes libtorch's error texts apart.
#pragma once

#include <string>

namespace torch4j {

struct ErrorText {
  /// The cause: class name and text of what was raised, or the whole text outside of TorchScript.
  std::string message;
  /// The TorchScript lines that the error came through; empty outside of TorchScript.
  std::string script;
};

/// Whether the text is that of a failed allocation: libtorch throws a plain c10::Error for it.
bool isOutOfMemory(const std::string& text);

ErrorText splitErrorText(const std::string& text);

}  // namespace torch4j
