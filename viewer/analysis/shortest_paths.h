#pragma once
// A path from a root to every reachable object: the shortest from the roots that are certain, and only where none
// of these leads there, the shortest from the others. Among equals: the first by the contract's order of roots, then
// by slots. Two breadth-first searches with ordered roots give exactly that, since the queue of each holds every level
// in the order of the paths: whatever the second enters, the first did not reach, nor anything that leads there.
// Thread rule: built once; then reads from any thread.

#include <cstdint>
#include <optional>
#include <vector>

#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/indices.h"
#include "viewer/analysis/work.h"

namespace cairn::analysis {

class ArrayList;
class ArrayTaker;

// From a root to an object: objects.front() is the root's, objects.back() the one asked for.
struct ObjectPath {
  RootIndex root;
  std::vector<ObjectIndex> objects;
};

class ShortestPaths {
 public:
  // Complexity: linear in objects and edges; 8 bytes per object.
  static Result<ShortestPaths> Build(const HeapGraph& graph, Work& work);

  // See HeapGraph::Save.
  void Save(ArrayList& out) const;
  static std::optional<ShortestPaths> FromSaved(ArrayTaker from, const HeapGraph& graph, unsigned threads);

  bool IsReachable(ObjectIndex object) const { return parents_[object.value] != kUnreached; }
  // The object before it on its path; none when a root refers to it, or it is not reachable.
  ObjectIndex ParentOf(ObjectIndex object) const {
    const uint32_t parent = parents_[object.value];
    return parent == kUnreached || parent == kFromRoot ? ObjectIndex() : ObjectIndex(parent - 1);
  }
  // The root its path starts from, for an object whose path has no other object; else none.
  RootIndex RootOf(ObjectIndex object) const;
  // Nothing for an object that is not reachable.
  std::optional<ObjectPath> PathTo(ObjectIndex object) const;
  // Reachable objects in the order of their paths: nearest first, those that no certain root holds last.
  std::span<const ObjectIndex> InOrder() const { return {order_.data(), reached_}; }

  // The edge of `source` by which paths go on to `target`: the first of its edges to it.
  static uint64_t OrdinalOf(const HeapGraph& graph, ObjectIndex source, ObjectIndex target);

 private:
  static constexpr uint32_t kUnreached = 0;
  static constexpr uint32_t kFromRoot = 0xFFFFFFFF;
  static_assert(kMaxGraphObjects < kFromRoot);

  struct FirstRoot {
    ObjectIndex object;
    RootIndex root;
  };

  bool StartsWithRoots(const HeapGraph& graph) const;
  void Reach(ObjectIndex object, uint32_t parent);
  void Start(const HeapGraph& graph, bool certain);
  void SortRoots();
  Status Search(const HeapGraph& graph, Work& work);

  FlatArray<uint32_t> parents_;  // by object: parent + 1, kUnreached or kFromRoot
  FlatArray<ObjectIndex> order_;
  uint32_t reached_ = 0, searched_ = 0;
  std::vector<FirstRoot> roots_;  // by object
};

}  // namespace cairn::analysis
