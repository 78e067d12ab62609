#pragma once
// Who refers to an object: found by one fast look over all edges, so that no second graph is kept.

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

}  // namespace cairn::analysis
