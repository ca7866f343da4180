// Where in a nested value we are: outputs[1]["boxes"][3].
#pragma once

#include <ATen/core/ivalue.h>

#include <string>

namespace torch4j {

/// A chain on the stack, made into text only when something is wrong.
class Place {
 public:
  /// The root: outputs, or argument 'x'.
  explicit Place(std::string name) : name_(std::move(name)) {}

  /// Element of a list or tuple. Throws Failure when nested too deep.
  Place(const Place& parent, size_t index);
  /// Value of a dict.
  Place(const Place& parent, const c10::IValue& key);

  std::string text() const;

 private:
  void checkDepth() const;

  const Place* parent_ = nullptr;
  std::string name_;
  const c10::IValue* key_ = nullptr;
  size_t index_ = 0;
  int depth_ = 0;
};

}  // namespace torch4j
