#pragma once
// A type with its type parameters filled in, as a class, a field or an argument is one. Owned by TypeBinder,
// which makes one per distinct type.

#include <cstdint>
#include <string>
#include <vector>

#include "collector/types/element_type.h"
#include "collector/types/runtime_source.h"

namespace cairn::collector {

struct BoundType {
  std::string name;
  uint8_t element = element::kEnd;  // enums as their underlying primitive; kEnd: unknown
  ModuleId module = 0;              // where it is defined; of an array its element's
  Token type_def = 0;               // 0 for arrays, pointers and what could not be resolved
  ClassId class_id = 0;             // exact; 0: not known
  ClassId parent = 0;
  const BoundType* array_element = nullptr;
  uint32_t rank = 0;
  std::vector<const BoundType*> arguments;

  bool IsStruct() const { return element == element::kValueType; }
  bool IsReference() const { return element::IsReference(element); }
};

}  // namespace cairn::collector
