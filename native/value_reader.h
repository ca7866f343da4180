// Values from Java to libtorch.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include "byte_reader.h"
#include "place.h"

namespace torch4j {

/// A value that does not fit the type wanted.
struct TypeMismatch {
  std::string place;
  std::string expected;
  std::string got;
};

/// Reads one value as the type that a schema asks for: that type, and never the first element, decides what
/// lists and dicts hold. An int widens to float, both to complex. Throws TypeMismatch.
c10::IValue readValue(ByteReader& in, const c10::TypePtr& type, const Place& place);

}  // namespace torch4j
