#include "collector/walk/heap_walker.h"

#include "collector/walk/api_walk.h"
#include "collector/walk/header_walk.h"
#include "collector/walk/range_walk.h"
#include "collector/walk/sample_check.h"

namespace cairn::collector {
namespace {

void AddTo(WalkReport& report, const HeapRange& range) {
  report.objects += range.objects;
  report.bytes += range.bytes;
  report.free_objects += range.free_objects;
  report.free_bytes += range.free_bytes;
  report.edges += range.edges;
}

void ClearCounts(HeapRange& range) {
  range.objects = range.bytes = range.free_objects = range.free_bytes = range.largest_free = 0;
  range.edges = range.walked = 0;
}

// Walks each range with `walk_range` and sums up. Stops when the spool is full.
template <class WalkRange>
WalkReport WalkAll(std::span<HeapRange> ranges, uint32_t first_range, SpoolWriter& spool, WalkRange walk_range) {
  WalkReport report;
  const uint64_t chunks_before = spool.Chunks();
  for (HeapRange& range : ranges) ClearCounts(range);
  for (size_t i = 0; i < ranges.size(); ++i) {
    WalkProblem problem;
    problem.range = first_range + static_cast<uint32_t>(i);
    spool.BeginRange(problem.range);
    const WalkFault fault = walk_range(ranges[i], problem);
    AddTo(report, ranges[i]);
    if (fault != WalkFault::kNone) report.Add(problem);
    if (fault == WalkFault::kSpoolFull) break;
  }
  report.chunks = spool.Chunks() - chunks_before;
  return report;
}

}  // namespace

HeapWalker::HeapWalker(const LayoutPolicy& layout, WalkMemory& memory, ChunkSink* sink)
    : layout_(layout), types_(layout, memory.base_), spool_(memory, layout.address_shift, sink) {}

CheckReport HeapWalker::CheckSample(std::span<const HeapRange> ranges, ObjectInspector& inspector, uint64_t per_range) {
  CheckReport report;
  for (const HeapRange& range : ranges) {
    if (layout_.pointer_size == 8) {
      SampleCheck<8>(layout_, types_, range, inspector, report).Run(per_range);
    } else {
      SampleCheck<4>(layout_, types_, range, inspector, report).Run(per_range);
    }
  }
  return report;
}

WalkReport HeapWalker::Walk(std::span<HeapRange> ranges, uint32_t first_range) {
  return WalkAll(ranges, first_range, spool_,
                 [this](HeapRange& range, WalkProblem& problem) { return WalkRange(range, problem); });
}

WalkFault HeapWalker::WalkRange(HeapRange& range, WalkProblem& problem) {
  const auto walk = [&]<unsigned kPointerSize, Heads kHeads>() {
    return RangeWalk<kPointerSize, kHeads>(layout_, types_, spool_, range, code_).Run(problem);
  };
  const bool is_64 = layout_.pointer_size == 8;
  if (types_.KnowsAll()) return is_64 ? walk.operator()<8, Heads::kLearnt>() : walk.operator()<4, Heads::kLearnt>();
  return is_64 ? walk.operator()<8, Heads::kInMemory>() : walk.operator()<4, Heads::kInMemory>();
}

WalkReport HeapWalker::Count(std::span<HeapRange> ranges) {
  WalkReport report;
  for (size_t i = 0; i < ranges.size(); ++i) {
    WalkProblem problem;
    problem.range = static_cast<uint32_t>(i);
    ClearCounts(ranges[i]);
    const WalkFault fault = layout_.pointer_size == 8 ? HeaderWalk<8>(layout_, types_, ranges[i], code_).Run(problem)
                                                      : HeaderWalk<4>(layout_, types_, ranges[i], code_).Run(problem);
    AddTo(report, ranges[i]);
    if (fault != WalkFault::kNone) report.Add(problem);
  }
  return report;
}

WalkReport HeapWalker::WalkThroughApi(std::span<HeapRange> ranges, ObjectInspector& inspector, uint32_t first_range) {
  // What a check learnt from raw memory is what is not trusted here.
  if (!through_api_) types_.Clear();
  through_api_ = true;
  return WalkAll(ranges, first_range, spool_, [&](HeapRange& range, WalkProblem& problem) {
    return ApiWalk(layout_, types_, spool_, range, inspector).Run(problem);
  });
}

}  // namespace cairn::collector
