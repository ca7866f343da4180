// The CRC-32 of zip archives (ISO 3309, polynomial 0x04C11DB7 reflected), fast enough to run beside reading.
#pragma once

#include <cstddef>
#include <cstdint>

namespace torch4j {

/// Whether this processor has the carry-less multiplication that crc32() is built on.
bool hasFastCrc32();

/// Continues `crc` (0 at the start) with `size` bytes. The same on every processor, only slow without
/// hasFastCrc32().
uint32_t crc32(uint32_t crc, const void* data, size_t size);

}  // namespace torch4j
