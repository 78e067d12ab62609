#include "viewer/analysis/reachability.h"

#include "viewer/analysis/parallel.h"

namespace cairn::analysis {

// False when it was marked before.
bool Reachability::Mark(ObjectIndex object) {
  uint64_t& word = marks_[object.value / 64];
  const uint64_t bit = uint64_t{1} << object.value % 64;
  if (word & bit) return false;
  word |= bit;
  return true;
}

Status Reachability::MarkAll(const HeapGraph& graph, Work& work) {
  work.Begin("marking reachable objects", graph.ObjectCount());
  Stride stride(work);
  FlatStack<ObjectIndex> waiting;
  for (const ResolvedRoot& root : graph.Roots().Followed())
    if (Mark(root.object)) waiting.Push(root.object);
  while (!waiting.empty()) {
    const ObjectIndex object = waiting.Top();
    waiting.Pop();
    for (const ObjectIndex target : graph.Targets(object))
      if (Mark(target)) waiting.Push(target);
    if (!stride.Step()) return WasCancelled();
  }
  return {};
}

Status Reachability::Count(const HeapGraph& graph, Work& work) {
  work.Begin("counting reachable objects", graph.ObjectCount());
  Stride stride(work);
  by_type_.resize(graph.GetSummary().types.size());
  const bool finished = graph.ForEachSize([&](ObjectIndex object, uint64_t bytes) {
    if (IsReachable(object)) by_type_[graph.TypeOf(object).value] += {1, bytes};
    return stride.Step();
  });
  if (!finished) return WasCancelled();
  for (const ObjectTotals& totals : by_type_) total_ += totals;
  return {};
}

Result<Reachability> Reachability::Build(const HeapGraph& graph, Work& work) {
  Reachability result;
  CAIRN_TRY(Guarded([&]() -> Status {
    result.marks_ = FlatArray<uint64_t>(graph.ObjectCount() / 64 + 1);
    CAIRN_TRY(result.MarkAll(graph, work));
    return result.Count(graph, work);
  }));
  return result;
}

}  // namespace cairn::analysis
