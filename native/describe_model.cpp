#include "describe_model.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/ivalue_inl.h>

#include <string>

#include "call.h"
#include "codes.h"
#include "type_name.h"

namespace torch4j {
namespace {

c10::IValue strings(const std::vector<std::string>& texts) {
  c10::List<std::string> list;
  for (const std::string& text : texts) {
    list.push_back(text);
  }
  return list;
}

c10::IValue tensors(const NamedTensors& named) {
  c10::Dict<std::string, at::Tensor> dict;
  for (const auto& [name, tensor] : named) {
    dict.insert(name, tensor);
  }
  return dict;
}

c10::IValue describeArgument(const c10::Argument& argument) {
  bool hasDefault = argument.default_value().has_value();
  return c10::ivalue::Tuple::create(argument.name(), typeName(*argument.type()), hasDefault,
                                    hasDefault ? *argument.default_value() : c10::IValue());
}

}  // namespace

c10::IValue describeMethod(const Method& method) {
  c10::impl::GenericList arguments(c10::AnyType::get());
  for (const c10::Argument& argument : method.arguments()) {
    arguments.push_back(describeArgument(argument));
  }
  TensorCounts counts = tensorCounts(method);
  bool returnsTensor = method.returnType()->kind() == c10::TypeKind::TensorType;
  return c10::ivalue::Tuple::create({method.name(), signature(method), arguments,
                                     strings({typeName(*method.returnType())}), returnsTensor, counts.min,
                                     counts.max});
}

c10::IValue describeModel(const Model& model, int which) {
  switch (which) {
    case VALUES_PARAMETERS:
      return tensors(model.parameters());
    case VALUES_BUFFERS:
      return tensors(model.buffers());
    case VALUES_METHODS:
      return strings(model.methodNames());
    default:
      return strings(model.operators());
  }
}

}  // namespace torch4j
