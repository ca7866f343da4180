#include "script_model.h"

#include <torch/csrc/jit/serialization/export.h>

#include "codes.h"
#include "java_exception.h"

namespace torch4j {
namespace {

/// Emptied and kept after a call: a new stack for each would be one allocation more than libtorch's own.
thread_local Stack tSpare;

class ScriptMethod final : public Method {
 public:
  ScriptMethod(const torch::jit::Module& module, torch::jit::Function& function)
      : self_(module._ivalue()), function_(function), name_(function.name()) {
    const c10::FunctionSchema& schema = function.getSchema();
    arguments_.assign(schema.arguments().begin() + 1, schema.arguments().end());
    returnType_ = schema.returns().at(0).type();
  }

  const std::string& name() const override { return name_; }
  const std::vector<c10::Argument>& arguments() const override { return arguments_; }
  const c10::TypePtr& returnType() const override { return returnType_; }

  Stack begin() const override {
    Stack stack;
    stack.swap(tSpare);
    stack.reserve(arguments_.size() + 1);
    stack.emplace_back(self_);
    return stack;
  }

  c10::IValue run(Stack stack) const override {
    function_.run(stack);
    c10::IValue result = std::move(stack.front());
    stack.clear();
    stack.swap(tSpare);
    return result;
  }

 private:
  c10::intrusive_ptr<c10::ivalue::Object> self_;
  torch::jit::Function& function_;
  std::string name_;
  std::vector<c10::Argument> arguments_;
  c10::TypePtr returnType_;
};

}  // namespace

std::vector<std::string> ScriptModel::methodNames() const {
  std::vector<std::string> names;
  for (const auto& method : module_.get_methods()) {
    names.push_back(method.name());
  }
  return names;
}

const Method* ScriptModel::method(const std::string& name) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto known = methods_.find(name);
  if (known != methods_.end()) {
    return known->second.get();
  }
  auto found = module_.find_method(name);
  if (!found) {
    return nullptr;
  }
  auto method = std::make_unique<ScriptMethod>(module_, found->function());
  return methods_.emplace(name, std::move(method)).first->second.get();
}

NamedTensors ScriptModel::parameters() const {
  NamedTensors all;
  for (const auto& item : module_.named_parameters()) {
    all.emplace_back(item.name, item.value);
  }
  return all;
}

NamedTensors ScriptModel::buffers() const {
  NamedTensors all;
  for (const auto& item : module_.named_buffers()) {
    all.emplace_back(item.name, item.value);
  }
  return all;
}

c10::IValue ScriptModel::attribute(std::string_view dottedName) const {
  c10::IValue value = module_._ivalue();
  for (size_t start = 0; start <= dottedName.size();) {
    size_t end = std::min(dottedName.find('.', start), dottedName.size());
    std::string name(dottedName.substr(start, end - start));
    if (!value.isObject() || !value.toObjectRef().type()->findAttributeSlot(name)) {
      throw Failure{ERROR_ILLEGAL_ARGUMENT,
                    "the model has no attribute '" + std::string(dottedName) + "' (at '" + name + "')"};
    }
    value = value.toObjectRef().getAttr(name);
    start = end + 1;
  }
  return value;
}

std::vector<std::string> ScriptModel::operators() const { return torch::jit::export_opnames(module_); }

std::unique_ptr<Model> ScriptModel::copy() const { return std::make_unique<ScriptModel>(module_.deepcopy()); }

}  // namespace torch4j
