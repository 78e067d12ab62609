#include "viewer/analysis/retained.h"

#include "viewer/analysis/parallel.h"

namespace cairn::analysis {

Result<RetainedSizes> RetainedSizes::Build(const HeapGraph& graph, const DominatorTree& tree, Work& work) {
  RetainedSizes result;
  CAIRN_TRY(Guarded([&]() -> Status {
    work.Begin("summing retained sizes", graph.ObjectCount());
    result.before_ = FlatArray<uint64_t>(size_t{tree.Count()} + 1);
    uint64_t* sums = result.before_.data();
    Stride stride(work);
    const bool finished = graph.ForEachSize([&](ObjectIndex object, uint64_t bytes) {
      if (tree.IsReachable(object)) sums[tree.PlaceOf(object).value + 1] = bytes;
      return stride.Step();
    });
    if (!finished) return WasCancelled();
    for (uint32_t place = 0; place < tree.Count(); ++place) sums[place + 1] += sums[place];
    return {};
  }));
  return result;
}

}  // namespace cairn::analysis
