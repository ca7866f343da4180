// A count that many threads change at once.
#pragma once

#include <cstdint>

namespace torch4j {

/// Adds to the count of this thread, which goes into the total every 64 KiB: one shared number, changed at
/// every small allocation, would make threads wait for each other.
void countBytes(int64_t change);

/// Brings this thread's share in.
void flushBytes();

int64_t totalBytes();
int64_t peakBytes();

}  // namespace torch4j
