#pragma once
// Lists where the primitives and references of an object lie, with paths through embedded structs:
// "_map.Count", "items[2].Key". Thread rule: one thread.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/types/problem_list.h"
#include "collector/types/runtime_source.h"
#include "collector/types/type_binder.h"

namespace cairn::collector {

class FieldFlattener {
 public:
  using Fields = std::vector<protocol::Field>;

  FieldFlattener(TypeBinder& binder, MetadataSource& metadata, ClassSource& classes, ProblemList& problems)
      : binder_(binder), metadata_(metadata), classes_(classes), problems_(problems) {}

  // Of a class with its bases, offsets from the object's start, by offset.
  Fields ObjectFields(const BoundType& type);
  // Of an unboxed struct, offsets from its start, by offset.
  Fields ValueFields(const BoundType& type);

 private:
  const Fields& BaseFields(ClassId parent);
  const Fields& StructFields(const BoundType& type);
  void AppendOwn(const BoundType& type, const ClassLayout& layout, Fields* fields);
  void AppendElements(const BoundType& type, const ClassLayout& layout, uint32_t length, Fields* fields);
  void AppendField(std::string name, uint32_t offset, const BoundType& type, Fields* fields);
  uint32_t InlineLength(const BoundType& type, const ClassLayout& layout);
  bool LayoutOf(const BoundType& type, ClassLayout* layout);

  TypeBinder& binder_;
  MetadataSource& metadata_;
  ClassSource& classes_;
  ProblemList& problems_;
  unsigned depth_ = 0;
  std::unordered_map<ClassId, Fields> base_fields_;
  std::unordered_map<const BoundType*, Fields> struct_fields_;
};

}  // namespace cairn::collector
