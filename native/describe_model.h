// What a model tells about itself, as values for Java.
#pragma once

#include <ATen/core/ivalue.h>

#include "model.h"

namespace torch4j {

/// The tuple that MethodSchema.java and ScriptMethod.java read: name, signature, arguments (name, type, has
/// default, default), types of returns, returns a tensor, least and most tensors of a tensors-only call.
c10::IValue describeMethod(const Method& method);

/// One of NativeCodes.VALUES_*.
c10::IValue describeModel(const Model& model, int which);

}  // namespace torch4j
