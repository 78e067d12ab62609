#include "viewer/session/heap_layout.h"

#include <algorithm>

namespace cairn::session {
namespace {

// From the smallest object over a page and what the small object heap takes to what fills a region.
constexpr uint64_t kGapClasses[] = {0, 256, 4096, 85'000, 1u << 20, 16u << 20};

class LayoutReader {
 public:
  LayoutReader(const analysis::HeapGraph& graph, analysis::Work& work) : graph_(graph), stride_(work) {
    for (const uint64_t at_least : kGapClasses) layout_.gaps.push_back({at_least, 0, 0});
    layout_.ranges.resize(graph.GetSummary().ranges.size());
  }

  bool ReadRange(uint32_t number) {
    const snapshot::Range& range = graph_.GetSummary().ranges[number];
    uint64_t end = range.start;  // of the object before
    const bool finished = graph_.ForEachIn(number, [&](ObjectIndex, uint64_t address, uint64_t bytes) {
      AddGap(number, address - end);
      end = address + bytes;
      return stride_.Step();
    });
    AddGap(number, range.start + range.walked - end);
    return finished;
  }

  void CountPinned() {
    std::vector<ObjectIndex> pinned;
    for (const analysis::ResolvedRoot& root : graph_.Roots().Followed()) {
      const bool pins = root.source != snapshot::kNoId && graph_.GetSummary().roots[root.source].pinning;
      if (pins || root.kind == snapshot::RootKind::kHandlePinned) pinned.push_back(root.object);
    }
    std::sort(pinned.begin(), pinned.end());
    pinned.erase(std::unique(pinned.begin(), pinned.end()), pinned.end());
    for (const ObjectIndex object : pinned) ++layout_.ranges[graph_.RangeOf(object)].pinned_objects;
  }

  HeapLayout Take() { return std::move(layout_); }

 private:
  void AddGap(uint32_t range, uint64_t bytes) {
    if (bytes == 0) return;
    RangeLayout& layout = layout_.ranges[range];
    ++layout.gaps;
    layout.largest_gap = std::max(layout.largest_gap, bytes);
    const auto above = std::upper_bound(std::begin(kGapClasses), std::end(kGapClasses), bytes);
    GapClass& gap_class = layout_.gaps[static_cast<size_t>(above - std::begin(kGapClasses) - 1)];
    ++gap_class.gaps;
    gap_class.bytes += bytes;
  }

  const analysis::HeapGraph& graph_;
  analysis::Stride stride_;
  HeapLayout layout_;
};

}  // namespace

Result<HeapLayout> DescribeHeap(SnapshotSession& session, analysis::Work& work) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  work.Begin("measuring gaps", (*graph)->ObjectCount());
  LayoutReader reader(**graph, work);
  for (uint32_t range = 0; range < session.GetSummary().ranges.size(); ++range)
    if (!reader.ReadRange(range)) return analysis::WasCancelled();
  reader.CountPinned();
  return reader.Take();
}

}  // namespace cairn::session
