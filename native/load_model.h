// Loading.
#pragma once

#include <c10/core/Device.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive_source.h"
#include "model.h"

namespace torch4j {

struct LoadRequest {
  ModelSource source;
  c10::Device device = c10::kCPU;
  int flags = 0;  // NativeCodes.LOAD_*
  std::vector<std::string> extraNames;
  std::vector<Span> spans;
};

struct Loaded {
  std::unique_ptr<Model> model;
  /// For each name asked for; empty where the archive has no such file.
  std::vector<std::optional<std::string>> extraFiles;
};

/// Throws Failure of ERROR_LOAD that says what is wrong and what to do.
/// The spans of the request then tell what was read of them, and its CRC.
Loaded loadModel(LoadRequest& request);

}  // namespace torch4j
