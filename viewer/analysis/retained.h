#pragma once
// Retained sizes: the bytes of an object and of all it dominates. The dominator tree lies in preorder, so one
// running sum over it answers for every object, and unions of objects count each byte once.
// Thread rule: built once; then reads from any thread.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "viewer/analysis/dominators.h"
#include "viewer/analysis/edge_offsets.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/work.h"

namespace cairn::analysis {

class RetainedSizes {
 public:
  // Complexity: linear; 4 bytes per reachable object.
  static Result<RetainedSizes> Build(const HeapGraph& graph, const DominatorTree& tree, Work& work);

  // See HeapGraph::Save.
  void Save(ArrayList& out) const;
  static std::optional<RetainedSizes> FromSaved(ArrayTaker& from, const DominatorTree& tree, unsigned threads);

  // 0 for an object that is not reachable.
  uint64_t Of(const DominatorTree& tree, ObjectIndex object) const {
    const DominatorIndex place = tree.PlaceOf(object);
    return place == DominatorTree::kVirtualRoot ? 0 : At(tree, place);
  }
  // Of the virtual root: everything reachable.
  uint64_t At(const DominatorTree& tree, DominatorIndex place) const {
    return before_[place.value + tree.SubtreeOf(place)] - before_[place.value];
  }

 private:
  Status SetSizes(const HeapGraph& graph, const DominatorTree& tree, Work& work);
  void SumUp(uint32_t places);

  static constexpr uint32_t kLarge = 0xFFFFFFFF;  // until they are summed: an object whose size is in `large_`

  EdgeOffsets before_;  // by place and one more: bytes of all places before it, which never fall, as offsets do not
  uint64_t total_ = 0;  // everything reachable
  std::map<uint32_t, uint64_t> large_;  // by place; while it is built
};

// What the members of each group retain together, each byte once. `group_of(object)` is below `groups`.
// Members are met in preorder, so one that lies inside the last outermost member's interval adds nothing.
template <class GroupOf>
std::vector<uint64_t> RetainedUnions(const DominatorTree& tree, const RetainedSizes& sizes, size_t groups,
                                     GroupOf group_of) {
  std::vector<uint64_t> retained(groups);
  std::vector<uint32_t> covered_to(groups);
  for (uint32_t i = 1; i < tree.Count(); ++i) {
    const DominatorIndex place(i);
    const size_t group = group_of(tree.ObjectAt(place));
    if (i < covered_to[group]) continue;
    covered_to[group] = i + tree.SubtreeOf(place);
    retained[group] += sizes.At(tree, place);
  }
  return retained;
}

}  // namespace cairn::analysis
