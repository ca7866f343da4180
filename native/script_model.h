// TorchScript models.
#pragma once

#include <c10/core/Device.h>
#include <torch/csrc/jit/api/module.h>

#include <map>
#include <mutex>

#include "model.h"

namespace torch4j {

class ScriptModel final : public Model {
 public:
  explicit ScriptModel(torch::jit::Module module) : module_(std::move(module)) {}

  std::vector<std::string> methodNames() const override;
  const Method* method(const std::string& name) override;
  NamedTensors parameters() const override;
  NamedTensors buffers() const override;
  c10::IValue attribute(std::string_view dottedName) const override;
  std::vector<std::string> operators() const override;
  std::unique_ptr<Model> copy() const override;

 private:
  torch::jit::Module module_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Method>> methods_;  // guarded by mutex_
};

}  // namespace torch4j
