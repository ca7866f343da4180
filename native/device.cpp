#include "device.h"

#include <ATen/Context.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <string>

#include "codes.h"
#include "java_exception.h"

namespace torch4j {
namespace {

bool hasDevice(int type) {
  switch (static_cast<c10::DeviceType>(type)) {
    case c10::DeviceType::CPU:
      return true;
    case c10::DeviceType::CUDA:
      return at::hasCUDA();
    default:
      return c10::impl::hasDeviceGuardImpl(static_cast<c10::DeviceType>(type));
  }
}

}  // namespace

c10::Device deviceFor(int type) {
  auto wanted = static_cast<c10::DeviceType>(type);
  if (!hasDevice(type)) {
    throw Failure{ERROR_ILLEGAL_ARGUMENT,
                  "device " + c10::DeviceTypeName(wanted) + ": this libtorch " + TORCH4J_LIBTORCH_VERSION +
                      " build has " + (at::hasCUDA() ? "CPU and CUDA" : "the CPU only") + "; use Device.CPU"};
  }
  return c10::Device(wanted);
}

}  // namespace torch4j
