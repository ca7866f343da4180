// Copies of memory between Java and tensors.
#pragma once

#include <cstddef>

namespace torch4j {

/// Copies one piece of what is `whole` bytes long in all; the two do not overlap. Where the whole is too
/// large for the processor's cache, the copy goes past it.
void copyPiece(void* to, const void* from, size_t bytes, size_t whole);

/// Copies all at once; the two may overlap, as a buffer and the tensor that was made of it do.
void copyBytes(void* to, const void* from, size_t bytes);

}  // namespace torch4j
