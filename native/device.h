// Devices, checked before libtorch is asked for one that it lacks.
#pragma once

#include <c10/core/Device.h>

namespace torch4j {

/// Throws Failure that says what this libtorch has.
c10::Device deviceFor(int type);

}  // namespace torch4j
