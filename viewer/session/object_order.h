#pragma once
// All objects that a request is about, in its order: 4 bytes each, whatever else is to be known of them is asked later.
// Thread rule: from any thread.

#include <cstdint>
#include <vector>

#include "viewer/analysis/heap_graph.h"
#include "viewer/session/answers.h"
#include "viewer/session/dominance.h"

namespace cairn::session {

struct OrderedObjects {
  std::vector<uint32_t> objects;  // ObjectIndex
  ObjectTotals total;
};

// By rank descending, among equals the smaller index first; by address ascending. `request.limit` does not count.
// Errors: cancelled, memory.exhausted. Complexity: linear; 24 bytes per object found while it sorts.
Result<OrderedObjects> OrderObjects(const analysis::HeapGraph& graph, const Dominance& dominance,
                                    const ObjectRequest& request, analysis::Work& work);

// Calls offer(object, bytes) in address order for what a request is about, until it returns false; sums what it met.
template <class Offer>
Result<ObjectTotals> ForEachMatch(const analysis::HeapGraph& graph, const Dominance& dominance,
                                  const ObjectRequest& request, analysis::Work& work, Offer offer) {
  work.Begin("listing objects", graph.ObjectCount());
  analysis::Stride stride(work);
  ObjectTotals total;
  bool wanted = true;
  const auto& ranges = graph.GetSummary().ranges;
  for (uint32_t range = 0; range < ranges.size() && wanted && !work.Cancelled(); ++range) {
    if (request.generation && ranges[range].generation != *request.generation) continue;
    graph.ForEachIn(range, [&](ObjectIndex object, uint64_t, uint64_t bytes) {
      const bool is_of_type = request.types.empty() || request.types[graph.TypeOf(object).value];
      const bool is_wanted = is_of_type && (!request.only || (*request.only)[object.value]);
      if (is_wanted && dominance.tree.IsReachable(object) != request.unreachable) {
        total += {1, bytes};
        wanted = offer(object, bytes);
      }
      return wanted && stride.Step();
    });
  }
  if (work.Cancelled()) return analysis::WasCancelled();
  return total;
}

}  // namespace cairn::session
