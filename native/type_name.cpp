#include "type_name.h"

namespace torch4j {

std::string typeName(const c10::Type& type) {
  std::string name = type.repr_str();
  // libtorch adds the address of the code that a class stands in, which tells a user nothing.
  size_t at = 0;
  while ((at = name.find(" (of Python compilation unit at: ")) != std::string::npos) {
    name.erase(at, name.find(')', at) + 1 - at);
  }
  return name;
}

}  // namespace torch4j
