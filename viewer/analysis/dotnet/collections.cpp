#include "viewer/analysis/dotnet/collections.h"

#include <algorithm>
#include <string_view>

#include "snapshot-format/stream/chunk.h"

namespace cairn::analysis::dotnet {
namespace {

// A file may tell of a circle.
constexpr int kDeepestHierarchy = 64;

struct KnownCollection {
  std::string_view name;  // with a '<' at its end: of a generic type
  const char* array;
  const char* count;  // null: elements are counted
  const char* free;   // null: none
};

constexpr KnownCollection kKnown[] = {
    {"System.Collections.Generic.List<", "_items", "_size", nullptr},
    {"System.Collections.Generic.Dictionary<", "_entries", "_count", "_freeCount"},
    {"System.Collections.Generic.HashSet<", "_entries", "_count", "_freeCount"},
    {"System.Collections.Generic.Queue<", "_array", "_size", nullptr},
    {"System.Collections.Generic.Stack<", "_array", "_size", nullptr},
    {"System.Collections.Generic.PriorityQueue<", "_nodes", "_size", nullptr},
    {"System.Collections.Generic.SortedList<", "values", "_size", nullptr},
    {"System.Collections.Concurrent.ConcurrentDictionary<", "_tables", nullptr, nullptr},
    {"System.Collections.ArrayList", "_items", "_size", nullptr},
    {"System.Collections.Hashtable", "_buckets", "_count", nullptr},
    {"System.Text.StringBuilder", "m_ChunkChars", "m_ChunkLength", nullptr},
    {"System.IO.MemoryStream", "_buffer", "_length", nullptr},
};

const KnownCollection* Find(std::string_view name) {
  for (const KnownCollection& known : kKnown) {
    const bool generic = known.name.ends_with('<');
    // "List<Shop.Order>" but not "List<Shop.Order>+Enumerator".
    const bool fits = generic ? name.starts_with(known.name) &&
                                    name.find('+', name.rfind('>')) == std::string_view::npos && name.ends_with('>')
                              : name == known.name;
    if (fits) return &known;
  }
  return nullptr;
}

// Of the type itself or one that it derives from.
const KnownCollection* FindInHierarchy(const std::vector<snapshot::Type>& types, const snapshot::Type* type) {
  for (int depth = 0; depth < kDeepestHierarchy; ++depth) {
    if (const KnownCollection* known = Find(type->name)) return known;
    if (const KnownCollection* known = Find(type->base)) return known;
    if (type->base_type >= types.size()) return nullptr;
    type = &types[type->base_type];
  }
  return nullptr;
}

const snapshot::Field* FieldNamed(const std::vector<snapshot::Field>& fields, std::string_view name) {
  const auto at = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.name == name; });
  return at == fields.end() ? nullptr : &*at;
}

std::optional<uint32_t> SlotAt(const std::vector<uint32_t>& offsets, const snapshot::Field* field) {
  if (field == nullptr) return std::nullopt;
  const auto at = std::find(offsets.begin(), offsets.end(), field->offset);
  return at == offsets.end() ? std::nullopt : std::optional(static_cast<uint32_t>(at - offsets.begin()));
}

std::optional<uint32_t> ValueAt(const std::vector<uint32_t>& packed, const snapshot::Field* field) {
  for (uint32_t i = 0; field != nullptr && i < packed.size(); ++i)
    if (stream::UnpackedValueSlot(packed[i]).offset == field->offset) return i;
  return std::nullopt;
}

}  // namespace

Result<std::optional<CollectionShape>> Collections::FindShape(const snapshot::Type& type, TypeIndex index) {
  if (type.layout.HasLength() || type.layout.fixed_slots == 0) return std::optional<CollectionShape>();
  const KnownCollection* const known = FindInHierarchy(types_, &type);
  if (known == nullptr) return std::optional<CollectionShape>();
  const auto fields = reader_.Fields(index);
  if (!fields) return tl::make_unexpected(fields.error());
  const auto array = SlotAt(type.fixed_slots, FieldNamed(*fields, known->array));
  if (!array) return std::optional<CollectionShape>();
  CollectionShape shape;
  shape.array_slot = *array;
  shape.is_concurrent_dictionary = known->count == nullptr;
  if (known->count) shape.count_value = ValueAt(type.value_slots, FieldNamed(*fields, known->count));
  if (known->free) shape.free_value = ValueAt(type.value_slots, FieldNamed(*fields, known->free));
  return std::optional(shape);
}

Result<std::optional<CollectionShape>> Collections::ShapeOf(TypeIndex index) {
  if (const auto at = known_.find(index.value); at != known_.end()) return at->second;
  auto shape = FindShape(types_[index.value], index);
  if (shape) known_.emplace(index.value, *shape);
  return shape;
}

}  // namespace cairn::analysis::dotnet
