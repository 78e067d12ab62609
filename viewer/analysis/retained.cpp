#include "viewer/analysis/retained.h"

#include "viewer/analysis/parallel.h"

namespace cairn::analysis {

Result<RetainedSizes> RetainedSizes::Build(const HeapGraph& graph, const DominatorTree& tree, Work& work) {
  RetainedSizes result;
  CAIRN_TRY(Guarded([&]() -> Status {
    work.Begin("summing retained sizes", graph.ObjectCount());
    result.before_ = EdgeOffsets(tree.Count());
    CAIRN_TRY(result.SetSizes(graph, tree, work));
    result.SumUp(tree.Count());
    return {};
  }));
  return result;
}

Status RetainedSizes::SetSizes(const HeapGraph& graph, const DominatorTree& tree, Work& work) {
  Stride stride(work);
  const bool finished = graph.ForEachSize([&](ObjectIndex object, uint64_t bytes) {
    if (tree.IsReachable(object)) {
      const uint32_t place = tree.PlaceOf(object).value;
      if (bytes >= kLarge) large_[place] = bytes;
      before_.Count(place) = bytes >= kLarge ? kLarge : static_cast<uint32_t>(bytes);
    }
    return stride.Step();
  });
  return finished ? Status() : Status(WasCancelled());
}

// The size of a place gives way to what is before it.
void RetainedSizes::SumUp(uint32_t places) {
  uint64_t sum = 0;
  for (uint32_t place = 0; place < places; ++place) {
    const uint32_t size = before_.Count(place);
    before_.Set(place, sum);
    sum += size == kLarge ? large_.at(place) : size;
  }
  before_.Set(places, sum);
  total_ = sum;
  large_.clear();
}

}  // namespace cairn::analysis
