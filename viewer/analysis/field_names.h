#pragma once
// What edges are called: `_map`, `_pair.Key`, `[3]`, `[3].Key`, `(loader allocator)`, `(dependent)`.
// Thread rule: one thread. Ownership: observes graph and source.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "viewer/analysis/slot_reader.h"

namespace cairn::analysis {

inline constexpr const char* kLoaderAllocatorName = "(loader allocator)";
inline constexpr const char* kDependentName = "(dependent)";

class FieldNames {
 public:
  FieldNames(const HeapGraph& graph, const ChunkSource& source) : graph_(graph), reader_(graph, source) {}

  Result<std::string> NameOf(const EdgeRef& edge);
  // Of a slot, counted within the object.
  Result<std::string> NameOf(TypeIndex type, uint64_t slot);
  SlotReader& Reader() { return reader_; }

  // A slot's number without the element it is in: equal for the same field of different elements.
  static uint32_t FieldOfSlot(const snapshot::Type& type, uint64_t slot);

 private:
  Result<const std::vector<std::string>*> SlotNames(TypeIndex type);

  const HeapGraph& graph_;
  SlotReader reader_;
  // By type: the names of its fixed slots, or of those of one element; empty for an element that is a reference.
  std::unordered_map<uint32_t, std::vector<std::string>> names_;
};

}  // namespace cairn::analysis
