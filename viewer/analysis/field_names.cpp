#include "viewer/analysis/field_names.h"

namespace cairn::analysis {
namespace {

bool HasElements(const snapshot::Type& type) { return type.layout.component_size != 0 && !type.layout.explicit_slots; }

// By offset: looking for each of many slots among as many fields would take too long.
using FieldsByOffset = std::unordered_map<uint32_t, const snapshot::Field*>;

FieldsByOffset ReferenceFields(const std::vector<snapshot::Field>& fields) {
  FieldsByOffset by_offset;
  for (const snapshot::Field& field : fields)
    if (field.kind == snapshot::FieldKind::kReference) by_offset.try_emplace(field.offset, &field);
  return by_offset;
}

std::string NameByOffset(const FieldsByOffset& fields, uint32_t offset) {
  const auto at = fields.find(offset);
  return at == fields.end() ? "(offset " + std::to_string(offset) + ")" : at->second->name;
}

// An element that is itself the reference has no field to name.
bool IsReferenceElement(const snapshot::Type& type, const std::vector<snapshot::Field>& fields) {
  return type.layout.element_slots == 1 && type.element_slots.size() == 1 && type.element_slots[0] == 0 &&
         (fields.empty() || fields[0].name.empty());
}

}  // namespace

uint32_t FieldNames::FieldOfSlot(const snapshot::Type& type, uint64_t slot) {
  if (!HasElements(type)) return static_cast<uint32_t>(slot);
  return type.layout.element_slots ? static_cast<uint32_t>(slot % type.layout.element_slots) : 0;
}

Result<const std::vector<std::string>*> FieldNames::SlotNames(TypeIndex index) {
  if (const auto known = names_.find(index.value); known != names_.end()) return &known->second;
  const snapshot::Type& type = graph_.GetSummary().types[index.value];
  const auto fields = reader_.Fields(index);
  if (!fields) return tl::make_unexpected(fields.error());
  std::vector<std::string> names;
  const bool elements = HasElements(type);
  const FieldsByOffset by_offset = ReferenceFields(*fields);
  for (const uint32_t offset : elements ? type.element_slots : type.fixed_slots)
    names.push_back(elements && IsReferenceElement(type, *fields) ? "" : NameByOffset(by_offset, offset));
  return &names_.emplace(index.value, std::move(names)).first->second;
}

Result<std::string> FieldNames::NameOf(TypeIndex index, uint64_t slot) {
  const snapshot::Type& type = graph_.GetSummary().types[index.value];
  const auto names = SlotNames(index);
  if (!names) return tl::make_unexpected(names.error());
  const uint32_t field = FieldOfSlot(type, slot);
  // A walk through the profiling API knows how many slots there are, not which.
  if (field >= (*names)->size()) return "(slot " + std::to_string(slot) + ")";
  if (!HasElements(type)) return (**names)[field];
  const std::string element = "[" + std::to_string(slot / type.layout.element_slots) + "]";
  return (**names)[field].empty() ? element : element + "." + (**names)[field];
}

Result<std::string> FieldNames::NameOf(const EdgeRef& edge) {
  const EdgeKind kind = graph_.KindOf(edge.source, edge.ordinal);
  if (kind == EdgeKind::kLoaderAllocator) return kLoaderAllocatorName;
  if (kind == EdgeKind::kDependent) return kDependentName;
  const auto slot = reader_.SlotOf(edge);
  if (!slot) return tl::make_unexpected(slot.error());
  return NameOf(graph_.TypeOf(edge.source), *slot);
}

}  // namespace cairn::analysis
