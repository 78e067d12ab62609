#include "tests/viewer/analysis/random_heap.h"

namespace cairn::analysis::testing {

void Fill(MemoryHeap& heap, const RandomHeap& random) {
  const uint32_t type = heap.Array("Object[]", 8, {0});
  const auto count = static_cast<uint32_t>(random.targets.size());
  for (uint32_t i = 0; i < count; ++i) {
    // A third of the objects opens a new range, a third follows a gap.
    if (i % 3 == 2) heap.NewRange(i % 2 ? Generation::kGen0 : Generation::kLoh);
    if (i % 3 == 1) heap.Gap(8 * i);
    std::vector<int64_t> targets;
    for (const uint8_t target : random.targets[i]) targets.push_back(target < count ? target : kNull);
    heap.Object(type, targets, targets.size());
  }
  for (const uint8_t root : random.roots)
    if (count) heap.Root(static_cast<RootKind>(root % 7), root % count, std::to_string(root / 7), root % 3 != 0);
  heap.Finish(random.chunk_objects, random.chunk_slots);
}

std::set<uint32_t> NaiveReachable(const HeapGraph& graph, std::optional<uint32_t> removed) {
  std::set<uint32_t> reached;
  std::vector<uint32_t> waiting;
  const auto reach = [&](ObjectIndex object) {
    if (object.value != removed && reached.insert(object.value).second) waiting.push_back(object.value);
  };
  for (const ResolvedRoot& root : graph.Roots().Followed()) reach(root.object);
  while (!waiting.empty()) {
    const ObjectIndex object(waiting.back());
    waiting.pop_back();
    for (const ObjectIndex target : graph.Targets(object)) reach(target);
  }
  return reached;
}

std::vector<std::set<uint32_t>> NaiveDominators(const HeapGraph& graph) {
  std::vector<std::set<uint32_t>> dominators(graph.ObjectCount());
  const std::set<uint32_t> all = NaiveReachable(graph);
  for (const uint32_t removed : all) {
    const std::set<uint32_t> left = NaiveReachable(graph, removed);
    for (const uint32_t object : all)
      if (object != removed && !left.contains(object)) dominators[object].insert(removed);
  }
  return dominators;
}

}  // namespace cairn::analysis::testing
