#include "java_array.h"

#include <algorithm>

#include "bulk_copy.h"
#include "codes.h"
#include "java_exception.h"

namespace torch4j {

size_t elementSize(jint kind) {
  switch (kind) {
    case ARRAY_BYTE:
    case ARRAY_BOOLEAN:
      return 1;
    case ARRAY_SHORT:
      return 2;
    case ARRAY_INT:
    case ARRAY_FLOAT:
      return 4;
    default:
      return 8;
  }
}

// JNI names each of these calls by type; the seven cases differ in nothing else.
#define TORCH4J_EACH_ARRAY(CASE)        \
  CASE(ARRAY_BYTE, Byte, byte)          \
  CASE(ARRAY_BOOLEAN, Boolean, boolean) \
  CASE(ARRAY_SHORT, Short, short)       \
  CASE(ARRAY_INT, Int, int)             \
  CASE(ARRAY_LONG, Long, long)          \
  CASE(ARRAY_FLOAT, Float, float)       \
  CASE(ARRAY_DOUBLE, Double, double)

namespace {

/// From here on memcpy into the pinned array is faster than the Region functions, which copy word by word
/// with care for concurrent readers: 1 MiB took 41 us against 62.
constexpr size_t kLarge = size_t{1} << 15;

/// The GC waits while an array is pinned: so long arrays are pinned piece by piece.
constexpr size_t kPiece = size_t{1} << 20;

/// Calls copy(address of an element, its offset in bytes, bytes, bytes of all pieces) for all pieces; nothing
/// of JNI may be called in it.
template <typename Copy>
void pinned(JNIEnv* env, jobject array, jint kind, jsize start, jsize count, Copy copy) {
  size_t offset = static_cast<size_t>(start) * elementSize(kind);
  size_t bytes = static_cast<size_t>(count) * elementSize(kind);
  for (size_t done = 0; done < bytes;) {
    size_t piece = std::min(kPiece, bytes - done);
    auto* elements = static_cast<char*>(env->GetPrimitiveArrayCritical(static_cast<jarray>(array), nullptr));
    if (elements == nullptr) {
      throw Failure{ERROR_OUT_OF_MEMORY, "the JVM cannot pin an array"};
    }
    copy(elements + offset + done, done, piece, bytes);
    env->ReleasePrimitiveArrayCritical(static_cast<jarray>(array), elements, 0);
    done += piece;
  }
}

bool isLarge(JNIEnv* env, jobject array, jint kind, jsize start, jsize count) {
  if (count < 0 || static_cast<size_t>(count) * elementSize(kind) < kLarge) {
    return false;
  }
  // The Region functions check bounds by themselves; what does not fit goes to them, to be refused.
  return start >= 0 && count <= env->GetArrayLength(static_cast<jarray>(array)) - start;
}

}  // namespace

void copyFromJava(JNIEnv* env, jobject array, jint kind, jsize start, jsize count, void* to) {
  if (isLarge(env, array, kind, start, count)) {
    pinned(env, array, kind, start, count, [&](const char* from, size_t done, size_t bytes, size_t whole) {
      copyPiece(static_cast<char*>(to) + done, from, bytes, whole);
    });
    return;
  }
  switch (kind) {
#define TORCH4J_GET(code, Name, type)                                             \
  case code:                                                                      \
    env->Get##Name##ArrayRegion(static_cast<j##type##Array>(array), start, count, \
                                static_cast<j##type*>(to));                       \
    break;
    TORCH4J_EACH_ARRAY(TORCH4J_GET)
#undef TORCH4J_GET
  }
  checkJava(env);
}

void copyToJava(JNIEnv* env, jobject array, jint kind, jsize start, jsize count, const void* from) {
  if (isLarge(env, array, kind, start, count)) {
    pinned(env, array, kind, start, count, [&](char* to, size_t done, size_t bytes, size_t whole) {
      copyPiece(to, static_cast<const char*>(from) + done, bytes, whole);
    });
    return;
  }
  switch (kind) {
#define TORCH4J_SET(code, Name, type)                                             \
  case code:                                                                      \
    env->Set##Name##ArrayRegion(static_cast<j##type##Array>(array), start, count, \
                                static_cast<const j##type*>(from));               \
    break;
    TORCH4J_EACH_ARRAY(TORCH4J_SET)
#undef TORCH4J_SET
  }
  checkJava(env);
}

#undef TORCH4J_EACH_ARRAY

}  // namespace torch4j
