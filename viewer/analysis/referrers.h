#pragma once
// Who refers to an object: found by one fast look over all edges, so that no second graph is kept.

#include <bit>
#include <cstdint>
#include <vector>

#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/work.h"

namespace cairn::analysis {

// One reference: the `ordinal`th edge of `source`, as in HeapGraph::Targets.
struct EdgeRef {
  ObjectIndex source;
  uint64_t ordinal = 0;
  auto operator<=>(const EdgeRef&) const = default;
};

struct Referrers {
  std::vector<EdgeRef> edges;  // by source, then ordinal; at most as many as were asked for
  uint64_t total = 0;
};

// Complexity: linear in edges, at the speed of memory, over `threads` threads.
Result<Referrers> FindReferrers(const HeapGraph& graph, ObjectIndex target, uint64_t limit, unsigned threads,
                                Work& work);

// The objects that refer to one, however many: one bit for each object of the graph.
class ReferrerSet {
 public:
  // Complexity: as FindReferrers.
  static Result<ReferrerSet> Find(const HeapGraph& graph, ObjectIndex target, unsigned threads, Work& work);

  bool Contains(ObjectIndex source) const { return marks_[source.value / 64] >> source.value % 64 & 1; }
  uint64_t Count() const { return count_; }
  // In the order of objects.
  template <class Visit>
  void ForEach(Visit visit) const {
    for (size_t word = 0; word < marks_.size(); ++word)
      for (uint64_t bits = marks_[word]; bits; bits &= bits - 1)
        visit(ObjectIndex(static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(bits)))));
  }

 private:
  FlatArray<uint64_t> marks_;
  uint64_t count_ = 0;
};

}  // namespace cairn::analysis
