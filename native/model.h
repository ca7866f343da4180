// A loaded model, however it is run. TorchScript is the one way today (script_model.h); the rest of the
// native side knows only these two classes.
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torch4j {

using Stack = std::vector<c10::IValue>;
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// A method of a model; lives as long as the model, and may run on any number of threads.
class Method {
 public:
  virtual ~Method() = default;

  virtual const std::string& name() const = 0;
  /// Without self.
  virtual const std::vector<c10::Argument>& arguments() const = 0;
  virtual const c10::TypePtr& returnType() const = 0;
  /// A stack to push the arguments onto.
  virtual Stack begin() const = 0;
  /// Runs what begin() gave, with all arguments pushed. The caller has entered inference mode.
  virtual c10::IValue run(Stack stack) const = 0;
};

class Model {
 public:
  virtual ~Model() = default;

  virtual std::vector<std::string> methodNames() const = 0;
  /// Null when there is none of that name.
  virtual const Method* method(const std::string& name) = 0;
  virtual NamedTensors parameters() const = 0;
  virtual NamedTensors buffers() const = 0;
  /// Throws Failure when there is none of that name.
  virtual c10::IValue attribute(std::string_view dottedName) const = 0;
  virtual std::vector<std::string> operators() const = 0;
  virtual std::unique_ptr<Model> copy() const = 0;
};

}  // namespace torch4j
