#pragma once
// Which collections of the base class library there are, and where each keeps its elements and its counts.
// Thread rule: one thread; a type is looked at when it is first met. Ownership: observes graph and source.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "viewer/analysis/slot_reader.h"

namespace cairn::analysis::dotnet {

// Of one type. Numbers of slots are positions in Type::fixed_slots, those of values in Type::value_slots.
struct CollectionShape {
  uint32_t array_slot = 0;                          // of the array with the elements
  std::optional<uint32_t> count_value, free_value;  // used = count − free
  bool is_concurrent_dictionary = false;            // `array_slot` leads to its tables; elements are counted
};

class Collections {
 public:
  Collections(const HeapGraph& graph, const ChunkSource& source)
      : types_(graph.GetSummary().types), reader_(graph, source) {}

  // Nothing for a type that is no known collection, or whose fields are not known.
  Result<std::optional<CollectionShape>> ShapeOf(TypeIndex type);

 private:
  Result<std::optional<CollectionShape>> FindShape(const snapshot::Type& type, TypeIndex index);

  const std::vector<snapshot::Type>& types_;
  SlotReader reader_;
  std::unordered_map<uint32_t, std::optional<CollectionShape>> known_;
};

}  // namespace cairn::analysis::dotnet
