// Direct buffers of Java whose memory libtorch uses.
#pragma once

#include <jni.h>

namespace torch4j {

void initJavaBuffers(JavaVM* vm) noexcept;

/// Keeps a Java buffer reachable while any tensor uses its memory. Made on a Java thread, released on any.
class BufferReference {
 public:
  BufferReference(JNIEnv* env, jobject buffer);
  BufferReference(const BufferReference&) = delete;
  BufferReference& operator=(const BufferReference&) = delete;
  ~BufferReference();

 private:
  jobject global_;
};

/// Address of a direct buffer's first byte; throws Failure for any other buffer.
char* directAddress(JNIEnv* env, jobject buffer);

}  // namespace torch4j
