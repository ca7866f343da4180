// The number of intra-op threads, for all of Java's threads alike.
#pragma once

namespace torch4j {

/// libtorch keeps this number for each thread: what one sets does not reach those that have worked already.
/// So it is noted here, and every thread takes it over at its next call.
void setThreads(int threads);

/// Cheap when nothing changed. Every call that runs operators begins with it.
void adoptThreads();

/// libtorch follows the machine; a JVM may be told to use fewer processors (a container's quota).
void limitThreads(int processors);

}  // namespace torch4j
