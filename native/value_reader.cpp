#include "value_reader.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/enum_type.h>
#include <ATen/core/ivalue_inl.h>

#include <sstream>

#include "tensor_handle.h"
#include "type_name.h"
#include "value_inference.h"

namespace torch4j {
namespace {

c10::IValue readTagged(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place);

const char* tagName(int tag) {
  static const char* const kNames[] = {
      "?",           "None",         "Tensor", "bool",           "int",
      "float",       "str",          "tuple",  "List[bool]",     "List[int]",
      "List[float]", "List[Tensor]", "list",   "Dict[str, ...]", "Dict[int, ...]",
      "dict",        "complex",      "Device", "NamedTuple"};
  return tag >= 1 && tag <= TAG_NAMED_TUPLE ? kNames[tag] : kNames[0];
}

[[noreturn]] void mismatch(int tag, const c10::TypePtr& type, const Place& place) {
  throw TypeMismatch{place.text(), typeName(*type), tagName(tag)};
}

/// The tag that each element of a typed list would have; 0 for lists whose elements carry their own.
int elementTag(int tag) {
  switch (tag) {
    case TAG_BOOL_LIST:
      return TAG_BOOL;
    case TAG_LONG_LIST:
      return TAG_LONG;
    case TAG_DOUBLE_LIST:
      return TAG_DOUBLE;
    case TAG_TENSOR_LIST:
      return TAG_TENSOR;
    default:
      return 0;
  }
}

bool isList(int tag) { return tag == TAG_LIST || elementTag(tag) != 0; }

bool isDict(int tag) { return tag == TAG_DICT || tag == TAG_DICT_STRING_KEY || tag == TAG_DICT_LONG_KEY; }

c10::IValue readList(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place) {
  if (!isList(tag)) {
    mismatch(tag, type, place);
  }
  const c10::TypePtr& element = type->castRaw<c10::ListType>()->getElementType();
  size_t size = in.count();
  c10::impl::GenericList list(element);
  list.reserve(size);
  for (size_t i = 0; i < size; i++) {
    int of = elementTag(tag);
    Place here(place, i);
    list.push_back(readTagged(in, of != 0 ? of : in.tag(), element, here));
  }
  return list;
}

c10::IValue readTuple(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place) {
  if (tag != TAG_TUPLE && tag != TAG_NAMED_TUPLE) {
    mismatch(tag, type, place);
  }
  auto tuple = type->cast<c10::TupleType>();
  size_t size = in.count();
  if (size != tuple->elements().size()) {
    throw TypeMismatch{place.text(), typeName(*type), "a tuple of " + std::to_string(size) + " elements"};
  }
  std::vector<c10::IValue> values;
  for (size_t i = 0; i < size; i++) {
    if (tag == TAG_NAMED_TUPLE) {
      in.string();  // the type's own names count
    }
    values.push_back(readValue(in, tuple->elements()[i], Place(place, i)));
  }
  return tuple->schema() ? c10::ivalue::Tuple::createNamed(std::move(values), tuple)
                         : c10::ivalue::Tuple::create(std::move(values));
}

c10::IValue readDict(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place) {
  if (!isDict(tag)) {
    mismatch(tag, type, place);
  }
  auto* dictType = type->castRaw<c10::DictType>();
  size_t size = in.count();
  c10::impl::GenericDict dict(dictType->getKeyType(), dictType->getValueType());
  dict.reserve(size);
  for (size_t i = 0; i < size; i++) {
    c10::IValue key = readValue(in, dictType->getKeyType(), Place(place, i));
    dict.insert_or_assign(key, readValue(in, dictType->getValueType(), Place(place, key)));
  }
  return dict;
}

/// The first member type that fits exactly, else the first that fits by widening.
c10::IValue readUnion(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place) {
  size_t start = in.position();
  auto members = type->castRaw<c10::UnionType>()->containedTypes();
  for (bool widened : {false, true}) {
    for (const c10::TypePtr& member : members) {
      bool widens = tag == TAG_LONG && member->kind() != c10::TypeKind::IntType;
      if (widens != widened) {
        continue;
      }
      try {
        in.seek(start);
        return readTagged(in, tag, member, place);
      } catch (const TypeMismatch&) {
        // Tried as the next member.
      }
    }
  }
  mismatch(tag, type, place);
}

c10::IValue readFloat(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place) {
  if (tag == TAG_LONG) {
    return static_cast<double>(in.read<int64_t>());
  }
  if (tag == TAG_DOUBLE) {
    return in.read<double>();
  }
  mismatch(tag, type, place);
}

c10::IValue readComplex(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place) {
  if (tag == TAG_COMPLEX) {
    auto real = in.read<double>();
    return c10::complex<double>(real, in.read<double>());
  }
  return c10::complex<double>(readFloat(in, tag, type, place).toDouble(), 0);
}

c10::IValue readNumber(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place) {
  switch (tag) {
    case TAG_LONG:
      return in.read<int64_t>();
    case TAG_BOOL:
      return in.read<uint8_t>() != 0;
    default:
      return tag == TAG_COMPLEX ? readComplex(in, tag, type, place) : readFloat(in, tag, type, place);
  }
}

c10::IValue readDevice(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place) {
  if (tag != TAG_DEVICE && tag != TAG_STRING) {
    mismatch(tag, type, place);
  }
  std::string name(in.string());
  try {
    return c10::Device(name);
  } catch (const c10::Error&) {
    throw TypeMismatch{place.text(), "the name of a device, such as cpu or cuda:0", "'" + name + "'"};
  }
}

/// Enums come out of a model as their value, and go in the same way.
c10::IValue readEnum(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place) {
  auto enumType = type->cast<c10::EnumType>();
  c10::IValue value = readTagged(in, tag, enumType->getValueType(), place);
  for (const auto& [name, member] : enumType->enumNamesValues()) {
    if (member == value) {
      return c10::IValue(c10::make_intrusive<c10::ivalue::EnumHolder>(enumType, name, member));
    }
  }
  std::ostringstream got;
  got << value;
  throw TypeMismatch{place.text(), typeName(*type), got.str() + ", which is the value of none"};
}

/// Types whose values have exactly one tag.
c10::IValue readPlain(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place, int wanted) {
  if (tag != wanted) {
    mismatch(tag, type, place);
  }
  switch (wanted) {
    case TAG_TENSOR:
      return borrow(in.read<int64_t>());
    case TAG_BOOL:
      return in.read<uint8_t>() != 0;
    case TAG_LONG:
      return in.read<int64_t>();
    case TAG_STRING:
      return std::string(in.string());
    default:
      return c10::IValue();
  }
}

c10::IValue readTagged(ByteReader& in, int tag, const c10::TypePtr& type, const Place& place) {
  switch (type->kind()) {
    case c10::TypeKind::TensorType:
      return readPlain(in, tag, type, place, TAG_TENSOR);
    case c10::TypeKind::BoolType:
      return readPlain(in, tag, type, place, TAG_BOOL);
    case c10::TypeKind::IntType:
      return readPlain(in, tag, type, place, TAG_LONG);
    case c10::TypeKind::StringType:
      return readPlain(in, tag, type, place, TAG_STRING);
    case c10::TypeKind::NoneType:
      return readPlain(in, tag, type, place, TAG_NONE);
    case c10::TypeKind::OptionalType:
      return tag == TAG_NONE
                 ? c10::IValue()
                 : readTagged(in, tag, type->castRaw<c10::OptionalType>()->getElementType(), place);
    case c10::TypeKind::FloatType:
      return readFloat(in, tag, type, place);
    case c10::TypeKind::ComplexType:
      return readComplex(in, tag, type, place);
    case c10::TypeKind::NumberType:
      return readNumber(in, tag, type, place);
    case c10::TypeKind::ListType:
      return readList(in, tag, type, place);
    case c10::TypeKind::TupleType:
      return readTuple(in, tag, type, place);
    case c10::TypeKind::DictType:
      return readDict(in, tag, type, place);
    case c10::TypeKind::UnionType:
      return readUnion(in, tag, type, place);
    case c10::TypeKind::DeviceObjType:
      return readDevice(in, tag, type, place);
    case c10::TypeKind::EnumType:
      return readEnum(in, tag, type, place);
    case c10::TypeKind::AnyType:
      return readTagged(in, tag, inferType(in, tag), place);
    default:
      throw TypeMismatch{place.text(), typeName(*type) + ", which no Java value can be", tagName(tag)};
  }
}

}  // namespace

c10::IValue readValue(ByteReader& in, const c10::TypePtr& type, const Place& place) {
  return readTagged(in, in.tag(), type, place);
}

}  // namespace torch4j
