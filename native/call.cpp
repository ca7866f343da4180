#include "call.h"

#include <optional>
#include <sstream>

#include "codes.h"
#include "java_exception.h"
#include "type_name.h"
#include "value_reader.h"

namespace torch4j {
namespace {

using Slots = std::vector<std::optional<c10::IValue>>;

[[noreturn]] void fail(const Method& method, const std::string& what) {
  throw Failure{ERROR_SCHEMA, method.name() + ": " + what + "\nSignature: " + signature(method)};
}

c10::IValue readArgument(const Method& method, ByteReader& in, const c10::Argument& argument) {
  Place place("argument '" + argument.name() + "'");
  try {
    return readValue(in, argument.type(), place);
  } catch (const TypeMismatch& e) {
    fail(method, e.place + ": expected " + e.expected + ", got " + e.got);
  }
}

void readPositional(const Method& method, ByteReader& in, Slots& slots) {
  size_t count = in.count();
  if (count > slots.size()) {
    fail(method,
         "takes at most " + std::to_string(slots.size()) + " arguments, got " + std::to_string(count));
  }
  for (size_t i = 0; i < count; i++) {
    slots[i] = readArgument(method, in, method.arguments()[i]);
  }
}

size_t indexOf(const Method& method, std::string_view name) {
  for (size_t i = 0; i < method.arguments().size(); i++) {
    if (method.arguments()[i].name() == name) {
      return i;
    }
  }
  fail(method, "has no argument '" + std::string(name) + "'");
}

void readNamed(const Method& method, ByteReader& in, Slots& slots) {
  for (size_t count = in.count(); count > 0; count--) {
    size_t index = indexOf(method, in.string());
    if (slots[index]) {
      fail(method, "argument '" + method.arguments()[index].name() + "' is given by position and by name");
    }
    slots[index] = readArgument(method, in, method.arguments()[index]);
  }
}

void push(const Method& method, Stack& stack, Slots& slots) {
  for (size_t i = 0; i < slots.size(); i++) {
    const c10::Argument& argument = method.arguments()[i];
    if (slots[i]) {
      stack.push_back(std::move(*slots[i]));
    } else if (argument.default_value()) {
      stack.push_back(*argument.default_value());
    } else {
      fail(method, "argument '" + argument.name() + "' (" + typeName(*argument.type()) + ") is missing");
    }
  }
}

bool takesTensor(const c10::Argument& argument) {
  const c10::TypePtr& type = argument.type();
  return type->kind() == c10::TypeKind::TensorType ||
         (type->kind() == c10::TypeKind::OptionalType &&
          type->castRaw<c10::OptionalType>()->getElementType()->kind() == c10::TypeKind::TensorType);
}

}  // namespace

Stack bindArguments(const Method& method, ByteReader& in) {
  Slots slots(method.arguments().size());
  readPositional(method, in, slots);
  readNamed(method, in, slots);
  Stack stack = method.begin();
  push(method, stack, slots);
  return stack;
}

TensorCounts tensorCounts(const Method& method) {
  const auto& arguments = method.arguments();
  int64_t max = 0;
  while (max < static_cast<int64_t>(arguments.size()) && takesTensor(arguments[max])) {
    max++;
  }
  auto min = static_cast<int64_t>(arguments.size());
  while (min > 0 && arguments[min - 1].default_value()) {
    min--;
  }
  return {min, max};
}

void pushDefaults(const Method& method, Stack& stack, size_t given) {
  for (size_t i = given; i < method.arguments().size(); i++) {
    stack.push_back(*method.arguments()[i].default_value());
  }
}

std::string signature(const Method& method) {
  std::ostringstream out;
  out << method.name() << '(';
  const char* separator = "";
  for (const c10::Argument& argument : method.arguments()) {
    out << separator << argument.name() << ": " << typeName(*argument.type());
    if (argument.default_value()) {
      out << " = " << *argument.default_value();
    }
    separator = ", ";
  }
  out << ") -> " << typeName(*method.returnType());
  return out.str();
}

}  // namespace torch4j
