#pragma once
// Every object of a snapshot and every edge between them, as flat arrays indexed by ObjectIndex:
// type 4 bytes, edges 4 + 4 per edge, addresses and sizes 0.8.
//
// An object's edges are its non-null slots in slot order, then the implied ones: to the LoaderAllocator of its
// collectible type, then to what dependent handles hang on it.
// Thread rule: built once; then reads from any thread. Ownership: observes the summary it was built from.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "viewer/analysis/chunk_source.h"
#include "viewer/analysis/edge_offsets.h"
#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/indices.h"
#include "viewer/analysis/object_map.h"
#include "viewer/analysis/object_sizes.h"
#include "viewer/analysis/root_list.h"
#include "viewer/analysis/work.h"

namespace cairn::analysis {

class ArrayList;
class ArrayTaker;

enum class EdgeKind : uint8_t { kSlot, kLoaderAllocator, kDependent };

class HeapGraph {
 public:
  // Reads all chunks of `source` on `threads` threads. Errors: cancelled, snapshot.damaged, graph.too_large,
  // memory.exhausted, and those of the source. Complexity: linear; one decoding of every chunk.
  static Result<HeapGraph> Build(const ChunkSource& source, Work& work, unsigned threads);

  // What FromSaved makes the same graph from; nothing where the arrays are not those of a graph of `source`.
  void Save(ArrayList& out) const;
  static std::optional<HeapGraph> FromSaved(ArrayTaker from, const ChunkSource& source, unsigned threads);

  const snapshot::Summary& GetSummary() const { return *summary_; }
  uint32_t ObjectCount() const { return static_cast<uint32_t>(types_.size()); }
  uint64_t EdgeCount() const { return targets_.size(); }
  const RootList& Roots() const { return roots_; }

  TypeIndex TypeOf(ObjectIndex object) const { return TypeIndex(types_[object.value]); }
  const snapshot::Type& TypeInfo(ObjectIndex object) const { return summary_->types[types_[object.value]]; }
  uint64_t SizeOf(ObjectIndex object) const { return sizes_.SizeOf(object, types_[object.value], map_); }
  uint64_t AddressOf(ObjectIndex object) const { return map_.AddressOf(object); }
  uint32_t RangeOf(ObjectIndex object) const { return map_.RangeOf(object); }
  snapshot::Generation GenerationOf(ObjectIndex object) const { return summary_->ranges[RangeOf(object)].generation; }
  // The object that starts at `address`, else none.
  ObjectIndex AtAddress(uint64_t address) const { return map_.StartingAt(address); }
  // Objects of a range: [FirstOf(range), FirstOf(range + 1)).
  ObjectIndex FirstOf(uint32_t range) const { return map_.FirstOf(range); }

  std::span<const ObjectIndex> Targets(ObjectIndex object) const {
    const uint64_t first = offsets_[object.value];
    return {targets_.data() + first, offsets_[object.value + 1] - first};
  }
  EdgeOffset FirstEdge(ObjectIndex object) const { return EdgeOffset(offsets_[object.value]); }
  std::span<const ObjectIndex> AllTargets() const { return {targets_.data(), targets_.size()}; }
  ObjectIndex OwnerOf(EdgeOffset edge) const { return ObjectIndex(offsets_.Owner(edge.value)); }
  const EdgeOffsets& Offsets() const { return offsets_; }

  // How many of an object's edges are implied; they are its last ones.
  uint64_t ImpliedEdges(ObjectIndex object) const;
  EdgeKind KindOf(ObjectIndex source, uint64_t ordinal) const;
  // A slot whose value is no object of the snapshot. Targets shows it as a reference to the object itself, which
  // changes no answer; it is told here.
  bool IsUnresolved(ObjectIndex source, uint64_t ordinal) const;
  uint64_t UnresolvedEdges() const { return unresolved_.size(); }
  // Dependent handles of which an end is no object of the snapshot.
  uint64_t UnresolvedDependents() const { return unresolved_dependents_; }

  // Slots that are not null among those that continue, in chunk `chunk`, an array of an earlier one.
  uint32_t ContinuedEdges(size_t chunk) const { return continued_[chunk]; }

  // Calls visit(object, bytes) for every object in address order, until it returns false.
  template <class Visit>
  bool ForEachSize(Visit visit) const {
    for (uint32_t range = 0; range < map_.RangeCount(); ++range)
      if (!sizes_.ForEachIn(range, map_, types_.data(), visit)) return false;
    return true;
  }
  // Calls visit(object, address, bytes) for the objects of one range in address order, until it returns false.
  template <class Visit>
  bool ForEachIn(uint32_t range, Visit visit) const {
    return sizes_.ForEachPlaced(range, map_, types_.data(), visit);
  }

 private:
  friend class GraphBuilder;
  friend class ImpliedEdgeCounter;
  struct DependentEdge {
    ObjectIndex primary, secondary;
    auto operator<=>(const DependentEdge&) const = default;
  };

  void ResolveImplied();
  std::span<const DependentEdge> DependentsOf(ObjectIndex object) const;

  const snapshot::Summary* summary_ = nullptr;
  ObjectMap map_;
  ObjectSizes sizes_;
  FlatArray<uint32_t> types_;
  EdgeOffsets offsets_;
  FlatArray<ObjectIndex> targets_;
  RootList roots_;
  std::vector<ObjectIndex> loader_allocators_;  // per type; none for types that are not collectible
  std::vector<DependentEdge> dependents_;       // by primary
  std::vector<uint64_t> unresolved_;            // edges, ascending
  std::vector<uint32_t> continued_;             // per chunk
  uint64_t unresolved_dependents_ = 0;
};

// HeapGraph::ImpliedEdges for one object after the other, in their order, so that nothing is searched.
class ImpliedEdgeCounter {
 public:
  // Of `first` and what comes after it.
  ImpliedEdgeCounter(const HeapGraph& graph, ObjectIndex first);

  uint64_t Of(ObjectIndex object) {
    uint64_t count = graph_.loader_allocators_[graph_.types_[object.value]].Valid();
    const auto& all = graph_.dependents_;
    for (; next_ < all.size() && all[next_].primary <= object; ++next_) count += all[next_].primary == object;
    return count;
  }

 private:
  const HeapGraph& graph_;
  size_t next_;  // dependent handle
};

}  // namespace cairn::analysis
