#include "java_bytes.h"

#include <limits>

#include "codes.h"
#include "java_exception.h"

namespace torch4j {

jbyteArray toByteArray(JNIEnv* env, std::string_view bytes) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<jsize>::max())) {
    throw Failure{ERROR_TORCH, "value of " + std::to_string(bytes.size()) +
                                   " bytes is more than a Java array holds; return tensors instead"};
  }
  auto size = static_cast<jsize>(bytes.size());
  jbyteArray array = env->NewByteArray(size);
  if (array == nullptr) {
    throw JavaExceptionPending{};
  }
  env->SetByteArrayRegion(array, 0, size, reinterpret_cast<const jbyte*>(bytes.data()));
  return array;
}

std::string fromByteArray(JNIEnv* env, jbyteArray array) {
  if (array == nullptr) {
    return {};
  }
  std::string bytes(static_cast<size_t>(env->GetArrayLength(array)), '\0');
  env->GetByteArrayRegion(array, 0, static_cast<jsize>(bytes.size()), reinterpret_cast<jbyte*>(bytes.data()));
  checkJava(env);
  return bytes;
}

}  // namespace torch4j
