#include "value_writer.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue_inl.h>
#include <ATen/core/jit_type.h>

#include <cstring>
#include <vector>

#include "codes.h"
#include "java_bytes.h"
#include "java_exception.h"
#include "place.h"
#include "tensor_handle.h"
#include "tensor_layout.h"
#include "type_name.h"

namespace torch4j {
namespace {

class Writer {
 public:
  void value(const c10::IValue& value, const Place& place);
  jbyteArray finish(JNIEnv* env);

 private:
  template <typename T>
  void put(T value) {
    body_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void tag(int code) { put(static_cast<uint8_t>(code)); }
  void count(size_t size, const Place& place);
  void string(const std::string& text, const Place& place);
  void tensor(const at::Tensor& tensor, const Place& place);
  bool scalar(const c10::IValue& value, const Place& place);
  bool typedList(const c10::IValue& value, const Place& place);
  void list(const c10::IValue& value, const Place& place);
  void tuple(const c10::IValue& value, const Place& place);
  void dict(const c10::IValue& value, const Place& place);

  std::string body_;
  // Held as tensors until all is written, so that a refusal further on frees them.
  std::vector<at::Tensor> tensors_;
};

void Writer::count(size_t size, const Place& place) {
  if (size > static_cast<size_t>(INT32_MAX)) {
    throw Failure{ERROR_UNSUPPORTED,
                  place.text() + ": " + std::to_string(size) + " elements, more than a Java array holds"};
  }
  put(static_cast<int32_t>(size));
}

void Writer::string(const std::string& text, const Place& place) {
  count(text.size(), place);
  body_.append(text);
}

void Writer::tensor(const at::Tensor& tensor, const Place& place) {
  put(static_cast<int32_t>(tensors_.size()));
  tensors_.push_back(isReadable(tensor) ? tensor : readable(tensor, place.text()));
}

bool Writer::scalar(const c10::IValue& value, const Place& place) {
  if (value.isNone()) {
    tag(TAG_NONE);
  } else if (value.isTensor()) {
    // An undefined tensor is None in Python.
    bool defined = value.toTensor().defined();
    tag(defined ? TAG_TENSOR : TAG_NONE);
    if (defined) {
      tensor(value.toTensor(), place);
    }
  } else if (value.isBool()) {
    tag(TAG_BOOL);
    put(static_cast<uint8_t>(value.toBool()));
  } else if (value.isInt()) {
    tag(TAG_LONG);
    put(value.toInt());
  } else if (value.isDouble()) {
    tag(TAG_DOUBLE);
    put(value.toDouble());
  } else if (value.isComplexDouble()) {
    tag(TAG_COMPLEX);
    put(value.toComplexDouble().real());
    put(value.toComplexDouble().imag());
  } else if (value.isString()) {
    tag(TAG_STRING);
    string(value.toStringRef(), place);
  } else if (value.isDevice()) {
    tag(TAG_DEVICE);
    string(value.toDevice().str(), place);
  } else {
    return false;
  }
  return true;
}

/// The four lists that have a Java array of their own. An undefined tensor has no place in one.
bool Writer::typedList(const c10::IValue& value, const Place& place) {
  if (value.isBoolList()) {
    auto list = value.toBoolList();
    tag(TAG_BOOL_LIST);
    count(list.size(), place);
    for (size_t i = 0; i < list.size(); i++) {
      put(static_cast<uint8_t>(list.get(i)));
    }
  } else if (value.isIntList()) {
    auto list = value.toIntList();
    tag(TAG_LONG_LIST);
    count(list.size(), place);
    for (size_t i = 0; i < list.size(); i++) {
      put(static_cast<int64_t>(list.get(i)));
    }
  } else if (value.isDoubleList()) {
    auto list = value.toDoubleList();
    tag(TAG_DOUBLE_LIST);
    count(list.size(), place);
    for (size_t i = 0; i < list.size(); i++) {
      put(static_cast<double>(list.get(i)));
    }
  } else if (value.isTensorList()) {
    auto list = value.toTensorList();
    for (size_t i = 0; i < list.size(); i++) {
      if (!at::Tensor(list.get(i)).defined()) {
        return false;
      }
    }
    tag(TAG_TENSOR_LIST);
    count(list.size(), place);
    for (size_t i = 0; i < list.size(); i++) {
      tensor(list.get(i), Place(place, i));
    }
  } else {
    return false;
  }
  return true;
}

void Writer::list(const c10::IValue& value, const Place& place) {
  auto list = value.toListRef();
  tag(TAG_LIST);
  count(list.size(), place);
  for (size_t i = 0; i < list.size(); i++) {
    this->value(list[i], Place(place, i));
  }
}

void Writer::tuple(const c10::IValue& value, const Place& place) {
  const auto& tuple = value.toTupleRef();
  auto schema = tuple.type<c10::TupleType>()->schema();
  tag(schema ? TAG_NAMED_TUPLE : TAG_TUPLE);
  count(tuple.size(), place);
  for (size_t i = 0; i < tuple.size(); i++) {
    if (schema) {
      string(schema->arguments()[i].name(), place);
    }
    this->value(tuple.elements()[i], Place(place, i));
  }
}

void Writer::dict(const c10::IValue& value, const Place& place) {
  auto dict = value.toGenericDict();
  auto keys = dict.keyType()->kind();
  tag(keys == c10::TypeKind::StringType ? TAG_DICT_STRING_KEY
      : keys == c10::TypeKind::IntType  ? TAG_DICT_LONG_KEY
                                        : TAG_DICT);
  count(dict.size(), place);
  for (const auto& entry : dict) {
    this->value(entry.key(), place);
    this->value(entry.value(), Place(place, entry.key()));
  }
}

void Writer::value(const c10::IValue& value, const Place& place) {
  if (scalar(value, place) || typedList(value, place)) {
    return;
  }
  if (value.isList()) {
    list(value, place);
  } else if (value.isTuple()) {
    tuple(value, place);
  } else if (value.isGenericDict()) {
    dict(value, place);
  } else if (value.isFuture()) {
    auto future = value.toFuture();
    future->waitAndThrow();
    this->value(future->constValue(), place);
  } else if (value.isEnum()) {
    this->value(value.toEnumHolder()->value(), place);
  } else {
    throw Failure{ERROR_UNSUPPORTED,
                  place.text() + ": a " + typeName(*value.type()) +
                      " has no Java value; return its fields as a tuple, list or dict instead"};
  }
}

jbyteArray Writer::finish(JNIEnv* env) {
  std::string head;
  auto size = static_cast<int32_t>(tensors_.size());
  head.append(reinterpret_cast<const char*>(&size), sizeof(size));
  for (const at::Tensor& tensor : tensors_) {
    auto address = reinterpret_cast<int64_t>(tensor.unsafeGetTensorImpl());
    head.append(reinterpret_cast<const char*>(&address), sizeof(address));
  }
  jbyteArray array = toByteArray(env, head + body_);
  // Nothing can fail any more: the references are Java's.
  for (at::Tensor& tensor : tensors_) {
    release(std::move(tensor));
  }
  return array;
}

}  // namespace

jbyteArray writeValue(JNIEnv* env, const c10::IValue& value, const std::string& root) {
  Writer writer;
  writer.value(value, Place(root));
  return writer.finish(env);
}

}  // namespace torch4j
