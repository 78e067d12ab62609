#pragma once
// Who keeps what alive: the tree of immediate dominators of everything reachable, under one virtual root.
// Objects are laid out in preorder of that tree, so that what an object dominates is one interval:
//
//   objects   [root] a  b  c  d  e        a dominates b, c; d dominates e
//   subtree     6    3  1  1  2  1        [i, i + subtree) is i with all it dominates
//
// Thread rule: built once; then reads from any thread.

#include <cstdint>
#include <optional>

#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/indices.h"
#include "viewer/analysis/work.h"

namespace cairn::analysis {

class ArrayList;
class ArrayTaker;

class DominatorTree {
 public:
  // Semi-NCA (Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", 2005, chapter 2).
  // Complexity: linear in practice; 20 bytes per reachable object and 8 per edge outside the search tree.
  static Result<DominatorTree> Build(const HeapGraph& graph, Work& work);

  // See HeapGraph::Save.
  void Save(ArrayList& out) const;
  static std::optional<DominatorTree> FromSaved(ArrayTaker& from, const HeapGraph& graph, unsigned threads);

  static constexpr DominatorIndex kVirtualRoot{0};

  // Places, the virtual root included.
  uint32_t Count() const { return static_cast<uint32_t>(objects_.size()); }
  bool IsReachable(ObjectIndex object) const { return places_[object.value] != 0; }
  // kVirtualRoot for an object that is not reachable.
  DominatorIndex PlaceOf(ObjectIndex object) const { return DominatorIndex(places_[object.value]); }
  // None for the virtual root.
  ObjectIndex ObjectAt(DominatorIndex place) const { return objects_[place.value]; }
  DominatorIndex ParentOf(DominatorIndex place) const { return DominatorIndex(parents_[place.value]); }
  // How many places an object dominates, itself included.
  uint32_t SubtreeOf(DominatorIndex place) const { return subtrees_[place.value]; }
  // Itself included.
  bool Dominates(DominatorIndex above, DominatorIndex below) const {
    return below.value - above.value < subtrees_[above.value];
  }
  // The immediate dominator; none when only the virtual root is, or the object is not reachable.
  ObjectIndex DominatorOf(ObjectIndex object) const { return objects_[parents_[places_[object.value]]]; }

  // Calls visit(child) in preorder for what `place` dominates immediately.
  template <class Visit>
  void ForEachChild(DominatorIndex place, Visit visit) const {
    const uint32_t end = place.value + subtrees_[place.value];
    for (uint32_t child = place.value + 1; child < end; child += subtrees_[child]) visit(DominatorIndex(child));
  }

 private:
  template <class Link>
  static Result<DominatorTree> BuildWith(const HeapGraph& graph, Work& work);

  FlatArray<ObjectIndex> objects_;  // by place
  FlatArray<uint32_t> parents_;     // by place; the virtual root is its own
  FlatArray<uint32_t> subtrees_;    // by place
  FlatArray<uint32_t> places_;      // by object; 0 when not reachable
};

}  // namespace cairn::analysis
