#include "place.h"

#include <sstream>

#include "codes.h"
#include "java_exception.h"

namespace torch4j {

Place::Place(const Place& parent, size_t index) : parent_(&parent), index_(index), depth_(parent.depth_ + 1) {
  checkDepth();
}

Place::Place(const Place& parent, const c10::IValue& key)
    : parent_(&parent), key_(&key), depth_(parent.depth_ + 1) {
  checkDepth();
}

void Place::checkDepth() const {
  if (depth_ > MAX_DEPTH) {
    throw Failure{ERROR_UNSUPPORTED, "value is nested more than " + std::to_string(MAX_DEPTH) + " deep"};
  }
}

std::string Place::text() const {
  if (parent_ == nullptr) {
    return name_;
  }
  std::ostringstream out;
  out << parent_->text() << '[';
  if (key_ == nullptr) {
    out << index_;
  } else if (key_->isTensor()) {
    out << "<Tensor>";
  } else if (key_->isString()) {
    out << '"' << key_->toStringRef() << '"';
  } else {
    out << *key_;
  }
  out << ']';
  return out.str();
}

}  // namespace torch4j
