// Types for values that go where the schema says Any.
#pragma once

#include <ATen/core/jit_type.h>

#include "byte_reader.h"

namespace torch4j {

/// The narrowest type of the value whose tag was just read; the reader is left where it was. Containers whose
/// elements differ, and empty ones, hold Any.
c10::TypePtr inferType(ByteReader& in, int tag);

}  // namespace torch4j
