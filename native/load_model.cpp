#include "load_model.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/import.h>

#include "codes.h"
#include "error_text.h"
#include "java_exception.h"
#include "script_model.h"

namespace torch4j {
namespace {

using caffe2::serialize::PyTorchStreamReader;
using caffe2::serialize::ReadAdapterInterface;

std::vector<std::optional<std::string>> readExtraFiles(const std::shared_ptr<ReadAdapterInterface>& archive,
                                                       const std::vector<std::string>& names) {
  std::vector<std::optional<std::string>> contents(names.size());
  if (names.empty()) {
    return contents;
  }
  PyTorchStreamReader reader(archive);
  for (size_t i = 0; i < names.size(); i++) {
    std::string record = "extra/" + names[i];
    if (reader.hasRecord(record)) {
      auto [data, size] = reader.getRecord(record);
      contents[i] = std::string(static_cast<const char*>(data.get()), size);
    }
  }
  return contents;
}

torch::jit::Module prepared(torch::jit::Module module, int flags) {
  module.eval();
  if ((flags & (LOAD_FREEZE | LOAD_OPTIMIZE)) == 0) {
    return module;
  }
  // Freezing keeps forward only, unless told to keep the other methods.
  std::vector<std::string> others;
  for (const auto& method : module.get_methods()) {
    if (method.name() != "forward") {
      others.push_back(method.name());
    }
  }
  module = torch::jit::freeze(module, others);
  if ((flags & LOAD_OPTIMIZE) == 0) {
    return module;
  }
  return torch::jit::optimize_for_inference(module, others);
}

// The loader in Java names the file and adds what to do.
[[noreturn]] void fail(const std::string& reason, const std::string& trace) {
  throw Failure{ERROR_LOAD, reason.substr(0, reason.find('\n')), trace};
}

}  // namespace

Loaded loadModel(LoadRequest& request) {
  try {
    auto archive = openArchive(request.source, request.spans);
    Loaded loaded;
    loaded.extraFiles = readExtraFiles(archive, request.extraNames);
    loaded.model =
        std::make_unique<ScriptModel>(prepared(torch::jit::load(archive, request.device), request.flags));
    return loaded;
  } catch (const c10::Error& e) {
    if (isOutOfMemory(e.what_without_backtrace())) {
      throw;
    }
    fail(e.what_without_backtrace(), e.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    fail(e.what(), e.what());
  }
}

}  // namespace torch4j
