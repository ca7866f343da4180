// Loading.
#pragma once

#include <c10/core/Device.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model.h"

namespace torch4j {

/// Where the archive is: a path, or bytes that stay valid while it is loaded.
struct ModelSource {
  std::string path;
  const char* data = nullptr;
  size_t size = 0;
};

struct LoadRequest {
  ModelSource source;
  c10::Device device = c10::kCPU;
  int flags = 0;  // NativeCodes.LOAD_*
  std::vector<std::string> extraNames;
};

struct Loaded {
  std::unique_ptr<Model> model;
  /// For each name asked for; empty where the archive has no such file.
  std::vector<std::optional<std::string>> extraFiles;
};

/// Throws Failure of ERROR_LOAD that says what is wrong and what to do.
Loaded loadModel(const LoadRequest& request);

}  // namespace torch4j
