#include "collector/types/field_flattener.h"

#include <algorithm>
#include <utility>

#include "collector/types/element_type.h"
#include "snapshot-format/stream/chunk.h"

namespace cairn::collector {
namespace {

constexpr unsigned kMaxDepth = 48;  // of structs in structs, and of bases

void SortByOffset(std::vector<protocol::Field>* fields) {
  std::stable_sort(fields->begin(), fields->end(),
                   [](const protocol::Field& a, const protocol::Field& b) { return a.offset < b.offset; });
}

protocol::FieldKind KindOf(const BoundType& type) {
  if (type.IsReference()) return protocol::FieldKind::kReference;
  return element::IsPrimitive(type.element) ? protocol::FieldKind::kPrimitive : protocol::FieldKind::kOther;
}

// Elements of an inline array begin with their index and follow the field's name directly.
std::string Join(const std::string& outer, const std::string& inner) {
  return inner.starts_with('[') ? outer + inner : outer + "." + inner;
}

}  // namespace

FieldFlattener::Fields FieldFlattener::ObjectFields(const BoundType& type) {
  Fields fields;
  if (depth_ > kMaxDepth) return fields;
  ++depth_;
  if (type.parent != 0) fields = BaseFields(type.parent);
  ClassLayout layout;
  if (LayoutOf(type, &layout)) AppendOwn(type, layout, &fields);
  --depth_;
  SortByOffset(&fields);
  return fields;
}

const FieldFlattener::Fields& FieldFlattener::BaseFields(ClassId parent) {
  const auto known = base_fields_.find(parent);
  if (known != base_fields_.end()) return known->second;
  Fields fields = ObjectFields(*binder_.FromClass(parent));
  return base_fields_[parent] = std::move(fields);
}

FieldFlattener::Fields FieldFlattener::ValueFields(const BoundType& type) {
  Fields fields = StructFields(type);
  ClassLayout layout;
  if (!fields.empty() && fields.front().name.starts_with('[') && LayoutOf(type, &layout) && !layout.fields.empty()) {
    const std::string name = binder_.Field(type.module, layout.fields.front().field).name;
    for (protocol::Field& field : fields) field.name = name + field.name;
  }
  return fields;
}

const FieldFlattener::Fields& FieldFlattener::StructFields(const BoundType& type) {
  const auto known = struct_fields_.find(&type);
  if (known != struct_fields_.end()) return known->second;
  Fields fields;
  ClassLayout layout;
  if (depth_ <= kMaxDepth && LayoutOf(type, &layout)) {
    ++depth_;
    const uint32_t length = InlineLength(type, layout);
    if (length > 0) {
      AppendElements(type, layout, length, &fields);
    } else {
      AppendOwn(type, layout, &fields);
    }
    --depth_;
    SortByOffset(&fields);
  }
  return struct_fields_[&type] = std::move(fields);
}

bool FieldFlattener::LayoutOf(const BoundType& type, ClassLayout* layout) {
  const ClassId id = binder_.LayoutClass(type);
  if (id != 0 && classes_.Layout(id, layout)) return true;
  problems_.Add("types.no_layout", "The runtime does not give the layout of " + type.name + ".");
  return false;
}

void FieldFlattener::AppendOwn(const BoundType& type, const ClassLayout& layout, Fields* fields) {
  for (const FieldOffset& own : layout.fields) {
    const BoundField& field = binder_.Field(type.module, own.field);
    if (!field.readable) {
      problems_.Add("types.bad_field", "A field of " + type.name + " at offset " + std::to_string(own.offset) +
                                           " has a signature that cannot be read.");
      continue;
    }
    AppendField(field.name, own.offset, *binder_.FromSignature(type.module, field.type, type), fields);
  }
}

// An [InlineArray] struct has one field in metadata and `length` of them in memory.
void FieldFlattener::AppendElements(const BoundType& type, const ClassLayout& layout, uint32_t length, Fields* fields) {
  const BoundField& field = binder_.Field(type.module, layout.fields.front().field);
  if (!field.readable) return;
  const BoundType& element = *binder_.FromSignature(type.module, field.type, type);
  const uint32_t stride = layout.size / length;
  for (uint32_t i = 0; i < length; ++i) {
    if (fields->size() >= stream::kMaxFixedSlots) {
      problems_.Add("types.too_many_fields", "Of " + type.name + " with " + std::to_string(length) +
                                                 " elements only the first " + std::to_string(i) + " have names.");
      return;
    }
    AppendField("[" + std::to_string(i) + "]", layout.fields.front().offset + i * stride, element, fields);
  }
}

void FieldFlattener::AppendField(std::string name, uint32_t offset, const BoundType& type, Fields* fields) {
  const protocol::FieldKind kind = KindOf(type);
  const Fields* inner = type.IsStruct() ? &StructFields(type) : nullptr;
  if (inner == nullptr || inner->empty()) {
    const uint8_t primitive = kind == protocol::FieldKind::kPrimitive ? type.element : uint8_t{0};
    fields->push_back({std::move(name), offset, kind, primitive, type.name});
    return;
  }
  for (const protocol::Field& part : *inner) {
    protocol::Field& field = fields->emplace_back(part);
    field.name = Join(name, part.name);
    field.offset += offset;
  }
}

uint32_t FieldFlattener::InlineLength(const BoundType& type, const ClassLayout& layout) {
  if (layout.fields.size() != 1) return 0;
  const uint32_t length = metadata_.InlineArrayLength(type.module, type.type_def);
  return length > 0 && layout.size / length > 0 ? length : 0;
}

}  // namespace cairn::collector
