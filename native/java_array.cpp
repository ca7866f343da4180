#include "java_array.h"

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

void copyFromJava(JNIEnv* env, jobject array, jint kind, jsize start, jsize count, void* to) {
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
