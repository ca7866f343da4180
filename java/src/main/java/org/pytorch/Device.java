package org.pytorch;

/**
 * Kinds of devices that a model is loaded onto. One that libtorch lacks is refused, never ignored.
 */
public enum Device {
  /** The processor. */
  CPU(NativeCodes.DEVICE_CPU),
  /** Vulkan; needs a libtorch that was built with it. */
  VULKAN(NativeCodes.DEVICE_VULKAN),
  /** The current CUDA device; needs a libtorch that was built with CUDA. */
  CUDA(NativeCodes.DEVICE_CUDA);

  final int jniCode;

  Device(int jniCode) {
    this.jniCode = jniCode;
  }

  static Device fromCode(long code) {
    for (Device device : values()) {
      if (device.jniCode == code) {
        return device;
      }
    }
    throw new IllegalStateException(
        "device type " + code + " of libtorch has no org.pytorch.Device");
  }
}
