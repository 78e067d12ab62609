#include "viewer/analysis/heap_graph.h"

#include <algorithm>

#include "viewer/analysis/graph_builder.h"
#include "viewer/analysis/parallel.h"

namespace cairn::analysis {

Result<HeapGraph> HeapGraph::Build(const ChunkSource& source, Work& work, unsigned threads) {
  HeapGraph graph;
  CAIRN_TRY(Guarded([&] { return GraphBuilder(source, work, threads, graph).Run(); }));
  memory::GiveBack();
  return graph;
}

void HeapGraph::ResolveImplied() {
  for (const snapshot::Type& type : summary_->types)
    loader_allocators_.push_back(type.loader_allocator ? map_.StartingAt(type.loader_allocator) : ObjectIndex());
  for (const snapshot::Dependent& dependent : summary_->dependents) {
    if (!dependent.primary || !dependent.secondary) continue;
    const DependentEdge edge{map_.StartingAt(dependent.primary), map_.StartingAt(dependent.secondary)};
    if (edge.primary.Valid() && edge.secondary.Valid()) {
      dependents_.push_back(edge);
    } else {
      ++unresolved_dependents_;
    }
  }
  std::sort(dependents_.begin(), dependents_.end());
}

std::span<const HeapGraph::DependentEdge> HeapGraph::DependentsOf(ObjectIndex object) const {
  const auto [first, last] = std::equal_range(dependents_.begin(), dependents_.end(), DependentEdge{object, {}},
                                              [](const auto& a, const auto& b) { return a.primary < b.primary; });
  return {first, last};
}

uint64_t HeapGraph::ImpliedEdges(ObjectIndex object) const {
  return loader_allocators_[types_[object.value]].Valid() + DependentsOf(object).size();
}

ImpliedEdgeCounter::ImpliedEdgeCounter(const HeapGraph& graph, ObjectIndex first) : graph_(graph) {
  const auto& all = graph.dependents_;
  const auto at = std::lower_bound(all.begin(), all.end(), first,
                                   [](const auto& edge, ObjectIndex object) { return edge.primary < object; });
  next_ = static_cast<size_t>(at - all.begin());
}

EdgeKind HeapGraph::KindOf(ObjectIndex source, uint64_t ordinal) const {
  const uint64_t dependents = DependentsOf(source).size();
  const uint64_t from_end = Targets(source).size() - ordinal;
  if (from_end <= dependents) return EdgeKind::kDependent;
  return from_end <= ImpliedEdges(source) ? EdgeKind::kLoaderAllocator : EdgeKind::kSlot;
}

bool HeapGraph::IsUnresolved(ObjectIndex source, uint64_t ordinal) const {
  return std::binary_search(unresolved_.begin(), unresolved_.end(), FirstEdge(source).value + ordinal);
}

}  // namespace cairn::analysis
