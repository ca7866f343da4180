// Arguments bound to the parameters of a method, by its schema.
#pragma once

#include <string>

#include "byte_reader.h"
#include "model.h"

namespace torch4j {

/// Binds what ValueWriter.arguments wrote: positional, then by name, then defaults. Throws Failure of
/// ERROR_SCHEMA that names the argument and shows the signature; nothing has run then.
Stack bindArguments(const Method& method, ByteReader& in);

/// Numbers of tensors that alone are a complete call: empty (min above max) when the schema wants others.
struct TensorCounts {
  int64_t min;
  int64_t max;
};
TensorCounts tensorCounts(const Method& method);

/// Adds the defaults of the arguments that a call of tensors alone left out.
void pushDefaults(const Method& method, Stack& stack, size_t given);

/// forward(x: Tensor, mask: Optional[Tensor] = None) -> Tensor
std::string signature(const Method& method);

}  // namespace torch4j
