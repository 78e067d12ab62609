#include "viewer/analysis/heap_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/analysis/memory_heap.h"
#include "viewer/analysis/reachability.h"

namespace cairn::analysis::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<uint32_t> TargetsOf(const HeapGraph& graph, uint32_t object) {
  std::vector<uint32_t> targets;
  for (const ObjectIndex target : graph.Targets(ObjectIndex(object))) targets.push_back(target.value);
  return targets;
}

Error BuildError(const MemoryHeap& heap) {
  Work work;
  const auto graph = HeapGraph::Build(heap, work, 2);
  return graph ? Error{} : graph.error();
}

TEST(HeapGraph, EmptyHeapHasNothing) {
  MemoryHeap heap;
  heap.Finish();
  const HeapGraph graph = BuildGraph(heap);
  EXPECT_EQ(graph.ObjectCount(), 0u);
  EXPECT_EQ(graph.EdgeCount(), 0u);
  EXPECT_FALSE(graph.AtAddress(0x10000).Valid());
}

TEST(HeapGraph, EdgesAreInSlotOrderWithoutNulls) {
  MemoryHeap heap;
  const uint32_t leaf = heap.Class("Leaf", 24);
  const uint32_t node = heap.Class("Node", 48, {8, 16, 24});
  heap.Object(leaf);
  heap.Object(node, {2, kNull, 0});
  heap.Object(leaf);
  heap.Finish();
  const HeapGraph graph = BuildGraph(heap);
  EXPECT_THAT(TargetsOf(graph, 1), ElementsAre(2, 0));
  EXPECT_EQ(graph.EdgeCount(), 2u);
}

TEST(HeapGraph, SizesComeBackAcrossGapsRangesAndChunks) {
  MemoryHeap heap;
  const uint32_t fixed = heap.Class("Fixed", 24);
  const uint32_t text = heap.Array("System.Char[]", 2);
  heap.Object(text, {}, 3);   // 24 + 6 = 30 → 32, followed by the next object
  heap.Object(text, {}, 10);  // 24 + 20 = 44 → 48, followed by a gap
  heap.Gap(40);
  heap.Object(fixed);        // 24
  heap.Object(text, {}, 0);  // 24, the last of its range
  heap.NewRange(Generation::kLoh);
  heap.Object(text, {}, 100'000);  // 24 + 200,000 = 200,024
  for (const uint32_t chunk_objects : {1u, 2u, 65536u}) {
    MemoryHeap copy = heap;
    copy.Finish(chunk_objects);
    const HeapGraph graph = BuildGraph(copy);
    std::vector<uint64_t> one_by_one, in_order;
    for (uint32_t i = 0; i < graph.ObjectCount(); ++i) one_by_one.push_back(graph.SizeOf(ObjectIndex(i)));
    graph.ForEachSize([&](ObjectIndex, uint64_t bytes) {
      in_order.push_back(bytes);
      return true;
    });
    EXPECT_THAT(one_by_one, ElementsAre(32, 48, 24, 24, 200'024));
    EXPECT_EQ(in_order, one_by_one);
    EXPECT_EQ(graph.GenerationOf(ObjectIndex(3)), Generation::kGen2);
    EXPECT_EQ(graph.GenerationOf(ObjectIndex(4)), Generation::kLoh);
  }
}

TEST(HeapGraph, SmallHeapOf32BitIsRoundedTo4AndLargeOnesTo8) {
  MemoryHeap heap;
  heap.MutableSummary().process.address_shift = 2;
  heap.MutableSummary().ranges[0].alignment = 4;
  const uint32_t type = heap.Class("Small", 12);
  heap.Object(type);  // laid out by the test at 16 bytes; its own size is 12
  heap.NewRange(Generation::kLoh);
  heap.Object(type);  // 12 → 16
  heap.Finish();
  const HeapGraph graph = BuildGraph(heap);
  EXPECT_EQ(graph.SizeOf(ObjectIndex(0)), 12u);
  EXPECT_EQ(graph.SizeOf(ObjectIndex(1)), 16u);
}

TEST(HeapGraph, ArrayGoesOnOverChunks) {
  MemoryHeap heap;
  const uint32_t leaf = heap.Class("Leaf", 24);
  const uint32_t array = heap.Array("Leaf[]", 8, {0});
  heap.Object(leaf);
  heap.Object(array, {0, kNull, 2, 0, kNull, kNull, 2, 0}, 8);
  heap.Object(leaf);
  heap.Finish(65536, 3);  // 3 slots to a chunk: 0–2, 3–5, 6–7 and the last object
  ASSERT_EQ(heap.Chunks().size(), 3u);
  const HeapGraph graph = BuildGraph(heap);
  EXPECT_THAT(TargetsOf(graph, 1), ElementsAre(0, 2, 0, 2, 0));
  EXPECT_EQ(graph.ContinuedEdges(0), 0u);
  EXPECT_EQ(graph.ContinuedEdges(1), 1u);
  EXPECT_EQ(graph.ContinuedEdges(2), 2u);
}

TEST(HeapGraph, ImpliedEdgesComeLastAndAreLabelled) {
  MemoryHeap heap;
  const uint32_t allocator = heap.Class("System.Reflection.LoaderAllocator", 24);
  const uint32_t plugin = heap.Class("Plugin", 24, {8});
  const uint32_t a = heap.Object(allocator);
  heap.MakeCollectible(plugin, a);
  const uint32_t p = heap.Object(plugin, {2});
  const uint32_t q = heap.Object(plugin, {kNull});
  heap.Dependent(p, p);
  heap.Dependent(p, q);
  heap.Finish();
  const HeapGraph graph = BuildGraph(heap);
  EXPECT_THAT(TargetsOf(graph, p), ElementsAre(q, a, p, q));
  EXPECT_THAT(TargetsOf(graph, q), ElementsAre(a));
  EXPECT_EQ(graph.KindOf(ObjectIndex(p), 0), EdgeKind::kSlot);
  EXPECT_EQ(graph.KindOf(ObjectIndex(p), 1), EdgeKind::kLoaderAllocator);
  EXPECT_EQ(graph.KindOf(ObjectIndex(p), 2), EdgeKind::kDependent);
  EXPECT_EQ(graph.KindOf(ObjectIndex(p), 3), EdgeKind::kDependent);
  EXPECT_EQ(graph.KindOf(ObjectIndex(q), 0), EdgeKind::kLoaderAllocator);
  EXPECT_EQ(graph.ImpliedEdges(ObjectIndex(p)), 3u);
}

TEST(ImpliedEdgeCounter, CountsFromAnyObjectOnAndMaySkipSome) {
  MemoryHeap heap;
  const uint32_t plain = heap.Class("Plain", 24);
  const uint32_t plugin = heap.Class("Plugin", 24);
  for (const uint32_t type : {plain, plugin, plain, plugin, plain}) heap.Object(type);
  heap.MakeCollectible(plugin, 0);
  for (const uint32_t primary : {0, 0, 3, 4}) heap.Dependent(primary, 0);
  heap.Finish();
  const HeapGraph graph = BuildGraph(heap);
  // Two dependents; the allocator; none; the allocator and a dependent; a dependent.
  const uint64_t expected[] = {2, 1, 0, 2, 1};
  for (uint32_t first = 0; first < 5; ++first) {
    ImpliedEdgeCounter counter(graph, ObjectIndex(first));
    for (uint32_t object = first; object < 5; ++object) {
      EXPECT_EQ(counter.Of(ObjectIndex(object)), expected[object]) << first << " " << object;
      EXPECT_EQ(graph.ImpliedEdges(ObjectIndex(object)), expected[object]);
    }
    ImpliedEdgeCounter skipping(graph, ObjectIndex(first));
    EXPECT_EQ(skipping.Of(ObjectIndex(4)), 1u);
  }
}

TEST(HeapGraph, ReferenceToNowhereIsToldAndChangesNothing) {
  MemoryHeap heap;
  const uint32_t node = heap.Class("Node", 32, {8, 16});
  heap.Object(node, {kNowhere, 1});
  heap.Object(node, {kNull, kNull});
  heap.Finish();
  const HeapGraph graph = BuildGraph(heap);
  EXPECT_EQ(graph.UnresolvedEdges(), 1u);
  EXPECT_TRUE(graph.IsUnresolved(ObjectIndex(0), 0));
  EXPECT_FALSE(graph.IsUnresolved(ObjectIndex(0), 1));
  EXPECT_THAT(TargetsOf(graph, 0), ElementsAre(0, 1));
}

TEST(HeapGraph, RootsAreOrderedByKindThenNameThenType) {
  MemoryHeap heap;
  const uint32_t b = heap.Class("B", 24), a = heap.Class("A", 24);
  heap.Object(b);
  heap.Object(a);
  heap.NewRange(Generation::kFrozen);
  heap.Object(a);
  heap.Root(RootKind::kOther, 0);
  heap.Root(RootKind::kHandleStrong, 0);
  heap.Root(RootKind::kHandleStrong, 1);
  heap.Root(RootKind::kStatic, 0, "Z");
  heap.Root(RootKind::kStatic, 1, "Y");
  heap.Root(RootKind::kHandleWeak, 1);
  heap.Finish();
  const HeapGraph graph = BuildGraph(heap);
  std::vector<std::pair<RootKind, uint32_t>> order;
  for (const ResolvedRoot& root : graph.Roots().Followed()) order.emplace_back(root.kind, root.object.value);
  EXPECT_THAT(order, ElementsAre(std::pair(RootKind::kStatic, 1u), std::pair(RootKind::kStatic, 0u),
                                 std::pair(RootKind::kHandleStrong, 1u), std::pair(RootKind::kHandleStrong, 0u),
                                 std::pair(RootKind::kFrozen, 2u), std::pair(RootKind::kOther, 0u)));
  ASSERT_EQ(graph.Roots().Weak().size(), 1u);
  EXPECT_EQ(graph.Roots().Weak()[0].object.value, 1u);
}

TEST(HeapGraph, InteriorRootFindsItsObject) {
  MemoryHeap heap;
  const uint32_t text = heap.Array("System.Byte[]", 1);
  heap.Object(text, {}, 100);  // 24 + 100 = 124 → 128
  heap.Gap(64);
  heap.Object(text, {}, 8);
  heap.Finish();
  auto& roots = heap.MutableSummary().roots;
  for (const uint64_t inside : {127, 128, 1}) {
    roots.emplace_back().object = heap.AddressOf(0) + inside;
    roots.back().interior = inside != 1;
  }
  const HeapGraph graph = BuildGraph(heap);
  ASSERT_EQ(graph.Roots().Followed().size(), 1u);  // 128 is in the gap, 1 is no interior root
  EXPECT_EQ(graph.Roots().Followed()[0].object.value, 0u);
  EXPECT_EQ(graph.Roots().Unresolved(), 2u);
}

TEST(HeapGraph, DamagedSourcesAreNamed) {
  MemoryHeap heap;
  const uint32_t leaf = heap.Class("Leaf", 24);
  heap.Object(leaf);
  heap.Object(leaf);
  heap.Finish();

  MemoryHeap short_range = heap;
  short_range.MutableSummary().ranges[0].length = 8;
  EXPECT_EQ(BuildError(short_range).code, "snapshot.damaged");
  EXPECT_THAT(BuildError(short_range).message, HasSubstr("outside its range"));

  MemoryHeap no_types = heap;
  no_types.MutableSummary().types.clear();
  EXPECT_THAT(BuildError(no_types).message, HasSubstr("type that does not exist"));

  MemoryHeap huge = heap;
  huge.MutableSummary().ranges[0].length = uint64_t{1} << 50;
  EXPECT_THAT(BuildError(huge).message, HasSubstr("larger than 8 TiB"));

  MemoryHeap overlapping = heap;
  overlapping.MutableSummary().ranges.push_back(heap.GetSummary().ranges[0]);
  EXPECT_THAT(BuildError(overlapping).message, HasSubstr("starts before the one before it ends"));

  MemoryHeap no_range = heap;
  no_range.MutableSummary().ranges.clear();
  EXPECT_THAT(BuildError(no_range).message, HasSubstr("belongs to no range"));
}

TEST(HeapGraph, CancelledWorkEndsWithItsCode) {
  MemoryHeap heap;
  heap.Object(heap.Class("Leaf", 24));
  heap.Finish();
  Work work;
  work.Cancel();
  const auto graph = HeapGraph::Build(heap, work, 2);
  ASSERT_FALSE(graph.has_value());
  EXPECT_EQ(graph.error().code, "cancelled");
}

TEST(Reachability, FrozenObjectsAreReachableAndWeakHandlesAreNotFollowed) {
  MemoryHeap heap;
  const uint32_t leaf = heap.Class("Leaf", 24), node = heap.Class("Node", 32, {8});
  heap.Object(leaf);       // only weakly held
  heap.Object(node, {2});  // static
  heap.Object(leaf);       // from it
  heap.NewRange(Generation::kFrozen);
  heap.Object(leaf);
  heap.Root(RootKind::kHandleWeak, 0);
  heap.Root(RootKind::kStatic, 1, "S");
  heap.Finish();
  const HeapGraph graph = BuildGraph(heap);
  Work work;
  const Reachability reachable = *Reachability::Build(graph, work);
  EXPECT_FALSE(reachable.IsReachable(ObjectIndex(0)));
  EXPECT_TRUE(reachable.IsReachable(ObjectIndex(3)));
  EXPECT_EQ(reachable.ByType()[leaf], (ObjectTotals{2, 48}));  // 2 × 24
  EXPECT_EQ(reachable.ByType()[node], (ObjectTotals{1, 32}));
  EXPECT_EQ(reachable.Total(), (ObjectTotals{3, 80}));  // 2 × 24 + 32
}

// 2^32 edges would take 16 GiB; the offsets alone do not.
TEST(EdgeOffsets, PassFourBillionEdges) {
  constexpr uint64_t kTwo32 = uint64_t{1} << 32;
  EdgeOffsets offsets(5);
  const uint64_t starts[] = {0, 5, kTwo32 + 7, kTwo32 + 7, 3 * kTwo32, 3 * kTwo32 + 1};
  for (uint32_t i = 0; i < 6; ++i) offsets.Set(i, starts[i]);
  for (uint32_t i = 0; i < 6; ++i) EXPECT_EQ(offsets[i], starts[i]) << i;
  EXPECT_EQ(offsets.Owner(4), 0u);
  EXPECT_EQ(offsets.Owner(kTwo32 + 6), 1u);
  EXPECT_EQ(offsets.Owner(kTwo32 + 7), 3u);  // 2 has no edges
  EXPECT_EQ(offsets.Owner(3 * kTwo32), 4u);
}

}  // namespace
}  // namespace cairn::analysis::testing
