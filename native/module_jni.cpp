// org.pytorch.NativeModule
#include <c10/core/InferenceMode.h>
#include <org_pytorch_NativeModule.h>

#include <initializer_list>
#include <vector>

#include "call.h"
#include "codes.h"
#include "describe_model.h"
#include "device.h"
#include "guard.h"
#include "java_buffer.h"
#include "java_bytes.h"
#include "java_exception.h"
#include "load_model.h"
#include "tensor_handle.h"
#include "tensor_layout.h"
#include "threads.h"
#include "value_writer.h"

namespace torch4j {
namespace {

Model& modelAt(jlong address) { return *reinterpret_cast<Model*>(address); }
const Method& methodAt(jlong address) { return *reinterpret_cast<const Method*>(address); }

std::vector<std::string> readNames(JNIEnv* env, jobjectArray names) {
  std::vector<std::string> texts;
  for (jsize i = 0; i < env->GetArrayLength(names); i++) {
    auto name = static_cast<jbyteArray>(env->GetObjectArrayElement(names, i));
    texts.push_back(fromByteArray(env, name));
    env->DeleteLocalRef(name);
  }
  return texts;
}

void writeContents(JNIEnv* env, const Loaded& loaded, jobjectArray contents) {
  for (size_t i = 0; i < loaded.extraFiles.size(); i++) {
    if (loaded.extraFiles[i]) {
      jbyteArray bytes = toByteArray(env, *loaded.extraFiles[i]);
      env->SetObjectArrayElement(contents, static_cast<jsize>(i), bytes);
      checkJava(env);
      env->DeleteLocalRef(bytes);
    }
  }
}

ModelSource sourceOf(JNIEnv* env, jbyteArray path, jobject data) {
  ModelSource source;
  source.path = fromByteArray(env, path);
  if (data != nullptr) {
    source.data = directAddress(env, data);
    source.size = static_cast<size_t>(env->GetDirectBufferCapacity(data));
  }
  return source;
}

/// Start and size of each span in turn.
std::vector<Span> readSpans(JNIEnv* env, jlongArray places) {
  std::vector<jlong> numbers(static_cast<size_t>(env->GetArrayLength(places)));
  env->GetLongArrayRegion(places, 0, static_cast<jsize>(numbers.size()), numbers.data());
  checkJava(env);
  std::vector<Span> spans;
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) {
    spans.push_back({static_cast<uint64_t>(numbers[i]), static_cast<uint64_t>(numbers[i + 1])});
  }
  return spans;
}

/// The CRC of each span that was read whole; the others keep what Java put there.
void writeCrcs(JNIEnv* env, const std::vector<Span>& spans, jlongArray crcs) {
  for (size_t i = 0; i < spans.size(); i++) {
    if (spans[i].whole()) {
      jlong crc = spans[i].crc;
      env->SetLongArrayRegion(crcs, static_cast<jsize>(i), 1, &crc);
    }
  }
}

/// The address of a tensor for Java; 0 for an undefined one, which is None.
jlong tensorResult(c10::IValue result) {
  at::Tensor tensor = std::move(result).toTensor();
  if (!tensor.defined()) {
    return 0;
  }
  return release(isReadable(tensor) ? std::move(tensor) : readable(tensor, "outputs"));
}

jlong runTensors(const Method& method, std::initializer_list<jlong> tensors) {
  adoptThreads();
  c10::InferenceMode inference;
  Stack stack = method.begin();
  for (jlong tensor : tensors) {
    stack.emplace_back(borrow(tensor));
  }
  pushDefaults(method, stack, tensors.size());
  return tensorResult(method.run(std::move(stack)));
}

jlong runTensors(JNIEnv* env, const Method& method, jlongArray tensors) {
  std::vector<jlong> addresses(static_cast<size_t>(env->GetArrayLength(tensors)));
  env->GetLongArrayRegion(tensors, 0, static_cast<jsize>(addresses.size()), addresses.data());
  checkJava(env);
  adoptThreads();
  c10::InferenceMode inference;
  Stack stack = method.begin();
  for (jlong address : addresses) {
    stack.emplace_back(borrow(address));
  }
  pushDefaults(method, stack, addresses.size());
  return tensorResult(method.run(std::move(stack)));
}

jbyteArray run(JNIEnv* env, const Method& method, jbyteArray arguments, jint length) {
  std::string bytes(static_cast<size_t>(length), '\0');
  env->GetByteArrayRegion(arguments, 0, length, reinterpret_cast<jbyte*>(bytes.data()));
  checkJava(env);
  adoptThreads();
  c10::InferenceMode inference;
  ByteReader reader(bytes.data(), bytes.size());
  c10::IValue result = method.run(bindArguments(method, reader));
  return writeValue(env, result, "outputs");
}

}  // namespace
}  // namespace torch4j

using namespace torch4j;

extern "C" {

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeModule_load(JNIEnv* env, jclass, jbyteArray path, jobject data,
                                                           jint device, jint flags, jobjectArray names,
                                                           jobjectArray contents, jlongArray places,
                                                           jlongArray crcs) {
  return guard(env, jlong{0}, [&] {
    LoadRequest request{sourceOf(env, path, data), deviceFor(device), flags, readNames(env, names),
                        readSpans(env, places)};
    // As the official bindings do: parameters become inference tensors, which cost less per call.
    c10::InferenceMode inference;
    Loaded loaded = loadModel(request);
    writeCrcs(env, request.spans, crcs);
    writeContents(env, loaded, contents);
    return reinterpret_cast<jlong>(loaded.model.release());
  });
}

JNIEXPORT void JNICALL Java_org_pytorch_NativeModule_free(JNIEnv* env, jclass, jlong module) {
  guard(env, [&] { delete &modelAt(module); });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeModule_copy(JNIEnv* env, jclass, jlong module) {
  return guard(env, jlong{0}, [&] {
    c10::InferenceMode inference;
    return reinterpret_cast<jlong>(modelAt(module).copy().release());
  });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeModule_method(JNIEnv* env, jclass, jlong module,
                                                             jbyteArray name) {
  return guard(env, jlong{0},
               [&] { return reinterpret_cast<jlong>(modelAt(module).method(fromByteArray(env, name))); });
}

JNIEXPORT jbyteArray JNICALL Java_org_pytorch_NativeModule_schema(JNIEnv* env, jclass, jlong method) {
  return guard(env, jbyteArray{nullptr},
               [&] { return writeValue(env, describeMethod(methodAt(method)), "schema"); });
}

JNIEXPORT jbyteArray JNICALL Java_org_pytorch_NativeModule_values(JNIEnv* env, jclass, jlong module,
                                                                  jint which) {
  return guard(env, jbyteArray{nullptr}, [&] {
    c10::InferenceMode inference;
    return writeValue(env, describeModel(modelAt(module), which), "model");
  });
}

JNIEXPORT jbyteArray JNICALL Java_org_pytorch_NativeModule_attribute(JNIEnv* env, jclass, jlong module,
                                                                     jbyteArray name) {
  return guard(env, jbyteArray{nullptr}, [&] {
    c10::InferenceMode inference;
    std::string dotted = fromByteArray(env, name);
    return writeValue(env, modelAt(module).attribute(dotted), "attribute '" + dotted + "'");
  });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeModule_run1(JNIEnv* env, jclass, jlong method, jlong tensor) {
  return guard(env, jlong{0}, [&] { return runTensors(methodAt(method), {tensor}); });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeModule_run2(JNIEnv* env, jclass, jlong method, jlong first,
                                                           jlong second) {
  return guard(env, jlong{0}, [&] { return runTensors(methodAt(method), {first, second}); });
}

JNIEXPORT jlong JNICALL Java_org_pytorch_NativeModule_runAll(JNIEnv* env, jclass, jlong method,
                                                             jlongArray tensors) {
  return guard(env, jlong{0}, [&] { return runTensors(env, methodAt(method), tensors); });
}

JNIEXPORT jbyteArray JNICALL Java_org_pytorch_NativeModule_run(JNIEnv* env, jclass, jlong method,
                                                               jbyteArray arguments, jint length) {
  return guard(env, jbyteArray{nullptr}, [&] { return run(env, methodAt(method), arguments, length); });
}

}  // extern "C"
