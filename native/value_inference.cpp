#include "value_inference.h"

#include <sstream>

namespace torch4j {
namespace {

c10::TypePtr skipAndInfer(ByteReader& in, int tag, int depth);

c10::TypePtr nextType(ByteReader& in, int depth) {
  if (depth > MAX_DEPTH) {
    throw Failure{ERROR_UNSUPPORTED, "value is nested more than " + std::to_string(MAX_DEPTH) + " deep"};
  }
  return skipAndInfer(in, in.tag(), depth);
}

c10::TypePtr unified(const std::vector<c10::TypePtr>& types) {
  std::ostringstream ignored;
  std::optional<c10::TypePtr> one = types.empty() ? std::nullopt : c10::unifyTypeList(types, ignored);
  return one ? *one : c10::AnyType::get();
}

c10::TypePtr listType(ByteReader& in, int depth) {
  std::vector<c10::TypePtr> elements;
  for (size_t i = in.count(); i > 0; i--) {
    elements.push_back(nextType(in, depth + 1));
  }
  return c10::ListType::create(unified(elements));
}

c10::TypePtr tupleType(ByteReader& in, int depth, bool named) {
  std::vector<c10::TypePtr> elements;
  for (size_t i = in.count(); i > 0; i--) {
    if (named) {
      in.string();
    }
    elements.push_back(nextType(in, depth + 1));
  }
  return c10::TupleType::create(std::move(elements));
}

c10::TypePtr dictType(ByteReader& in, int tag, int depth) {
  std::vector<c10::TypePtr> keys;
  std::vector<c10::TypePtr> values;
  for (size_t i = in.count(); i > 0; i--) {
    keys.push_back(nextType(in, depth + 1));
    values.push_back(nextType(in, depth + 1));
  }
  // A dict type needs a key type that can be hashed, which Any is not.
  c10::TypePtr key =
      tag == TAG_DICT_LONG_KEY ? c10::TypePtr(c10::IntType::get()) : c10::TypePtr(c10::StringType::get());
  return c10::DictType::create(keys.empty() ? key : unified(keys), unified(values));
}

c10::TypePtr primitiveList(ByteReader& in, size_t elementSize, c10::TypePtr element) {
  size_t count = in.count();
  in.seek(in.position() + count * elementSize);
  return c10::ListType::create(std::move(element));
}

template <typename TypeOfValue>
c10::TypePtr skip(ByteReader& in, size_t bytes, const TypeOfValue& type) {
  in.seek(in.position() + bytes);
  return type;
}

c10::TypePtr skipAndInfer(ByteReader& in, int tag, int depth) {
  switch (tag) {
    case TAG_NONE:
      return c10::NoneType::get();
    case TAG_TENSOR:
      return skip(in, 8, c10::TensorType::get());
    case TAG_BOOL:
      return skip(in, 1, c10::BoolType::get());
    case TAG_LONG:
      return skip(in, 8, c10::IntType::get());
    case TAG_DOUBLE:
      return skip(in, 8, c10::FloatType::get());
    case TAG_COMPLEX:
      return skip(in, 16, c10::ComplexType::get());
    case TAG_STRING:
      in.string();
      return c10::StringType::get();
    case TAG_DEVICE:
      in.string();
      return c10::DeviceObjType::get();
    case TAG_BOOL_LIST:
      return primitiveList(in, 1, c10::BoolType::get());
    case TAG_LONG_LIST:
      return primitiveList(in, 8, c10::IntType::get());
    case TAG_DOUBLE_LIST:
      return primitiveList(in, 8, c10::FloatType::get());
    case TAG_TENSOR_LIST:
      return primitiveList(in, 8, c10::TensorType::get());
    case TAG_LIST:
      return listType(in, depth);
    case TAG_TUPLE:
    case TAG_NAMED_TUPLE:
      return tupleType(in, depth, tag == TAG_NAMED_TUPLE);
    default:
      return dictType(in, tag, depth);
  }
}

}  // namespace

c10::TypePtr inferType(ByteReader& in, int tag) {
  size_t start = in.position();
  c10::TypePtr type = skipAndInfer(in, tag, 0);
  in.seek(start);
  return type;
}

}  // namespace torch4j
