// Types as a person reads them.
#pragma once

#include <ATen/core/jit_type.h>

#include <string>

namespace torch4j {

/// As Python annotates it: Optional[List[Tensor]].
std::string typeName(const c10::Type& type);

}  // namespace torch4j
