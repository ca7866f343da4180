#include "guard.h"

#include <c10/util/Exception.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

#include <ios>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "codes.h"
#include "error_text.h"
#include "java_exception.h"

namespace torch4j {
namespace {

// Says first what a reader wants to know: how much was asked for.
std::string outOfMemory(const std::string& text) {
  constexpr std::string_view kAsked = "you tried to allocate ";
  size_t at = text.find(kAsked);
  if (at == std::string::npos) {
    return text;
  }
  size_t start = at + kAsked.size();
  return "libtorch cannot allocate " + text.substr(start, text.find(' ', start) - start) +
         " bytes: native memory is exhausted";
}

void raiseTorch(JNIEnv* env, int code, const std::string& text, const std::string& trace) noexcept {
  ErrorText parts = splitErrorText(text);
  if (isOutOfMemory(parts.message)) {
    raise(env, ERROR_OUT_OF_MEMORY, outOfMemory(parts.message));
    return;
  }
  int known = parts.script.empty() || code != ERROR_TORCH ? code : ERROR_SCRIPT;
  raise(env, known, parts.message, parts.script, trace);
}

// One row for each kind of C++ exception. The order matters: derived types come first.
void translate(JNIEnv* env) {
  try {
    throw;
  } catch (const JavaExceptionPending&) {
    // Java's own exception is pending and wins.
  } catch (const Failure& e) {
    raise(env, e.code, e.message, "", e.trace);
  } catch (const torch::jit::JITException& e) {
    raiseTorch(env, ERROR_SCRIPT, e.what(), "");
  } catch (const c10::Error& e) {
    raiseTorch(env, ERROR_TORCH, e.what_without_backtrace(), e.what());
  } catch (const std::bad_alloc&) {
    raise(env, ERROR_OUT_OF_MEMORY, "native memory is exhausted (std::bad_alloc)");
  } catch (const std::ios_base::failure& e) {
    raise(env, ERROR_IO, e.what());
  } catch (const std::invalid_argument& e) {
    raise(env, ERROR_ILLEGAL_ARGUMENT, e.what());
  } catch (const std::out_of_range& e) {
    raise(env, ERROR_INDEX, e.what());
  } catch (const std::exception& e) {
    raiseTorch(env, ERROR_TORCH, e.what(), "");
  } catch (...) {
    raise(env, ERROR_TORCH, "unknown C++ exception");
  }
}

}  // namespace

void translateException(JNIEnv* env) noexcept {
  // An exception of Java that is pending already would make every JNI call below undefined.
  if (env->ExceptionCheck()) {
    return;
  }
  try {
    translate(env);
  } catch (...) {
    raise(env, ERROR_OUT_OF_MEMORY, "native memory is exhausted while an error was reported");
  }
}

}  // namespace torch4j
