// Shapes that break graph algorithms: deep, wide, dense, huge, empty.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/analysis/memory_heap.h"
#include "viewer/analysis/dominators.h"
#include "viewer/analysis/field_names.h"
#include "viewer/analysis/path_tree.h"
#include "viewer/analysis/reachability.h"
#include "viewer/analysis/retained.h"
#include "viewer/analysis/shortest_paths.h"

namespace cairn::analysis::testing {
namespace {

struct Analysed {
  explicit Analysed(const MemoryHeap& heap) : graph(BuildGraph(heap)) {
    tree = *DominatorTree::Build(graph, work);
    sizes = *RetainedSizes::Build(graph, tree, work);
    paths = *ShortestPaths::Build(graph, work);
    reachable = *Reachability::Build(graph, work);
    EXPECT_EQ(sizes.At(tree, DominatorTree::kVirtualRoot), reachable.Total().bytes);
  }
  uint64_t Retained(uint32_t object) const { return sizes.Of(tree, ObjectIndex(object)); }

  Work work;
  HeapGraph graph;
  DominatorTree tree;
  RetainedSizes sizes;
  ShortestPaths paths;
  Reachability reachable;
};

TEST(HardCases, ListOfFiveMillionNodes) {
  constexpr uint32_t kNodes = 5'000'000;
  MemoryHeap heap;
  const uint32_t node = heap.Class("Node", 32, {8, 16}, {"_next", "_value"});
  for (uint32_t i = 0; i < kNodes; ++i) heap.Object(node, {i + 1 < kNodes ? int64_t{i} + 1 : kNull, kNull});
  heap.Root(RootKind::kStatic, 0, "List.Head");
  heap.Finish();
  Analysed list(heap);
  EXPECT_EQ(list.Retained(0), 160'000'000u);  // 5,000,000 × 32
  EXPECT_EQ(list.Retained(kNodes - 1), 32u);
  EXPECT_EQ(list.Retained(kNodes / 2), 80'000'000u);  // 2,500,000 × 32
  EXPECT_EQ(list.tree.DominatorOf(ObjectIndex(kNodes - 1)).value, kNodes - 2);
  EXPECT_EQ(list.paths.PathTo(ObjectIndex(kNodes - 1))->objects.size(), kNodes);

  // All nodes are held by one path: the head's step from the root, then `_next` however often.
  const auto holders = HolderTree::Build(
      list.graph, heap, list.paths, [](ObjectIndex) { return true; }, 2, list.work);
  ASSERT_TRUE(holders.has_value()) << holders.error().message;
  ASSERT_EQ(holders->Nodes().size(), 3u);  // root, head, next
  EXPECT_EQ(holders->Nodes()[1].count, 1u);
  EXPECT_EQ(holders->Nodes()[2].count, kNodes - 1);
  EXPECT_EQ(holders->Nodes()[0].below, kNodes);
}

// Back and forth: every node is reached from both sides, so only the ends matter and eval paths grow long.
TEST(HardCases, DoublyLinkedListOfAMillionHeldAtBothEnds) {
  constexpr uint32_t kNodes = 1'000'000;
  MemoryHeap heap;
  const uint32_t node = heap.Class("Node", 32, {8, 16});
  for (uint32_t i = 0; i < kNodes; ++i)
    heap.Object(node, {i + 1 < kNodes ? int64_t{i} + 1 : kNull, i ? int64_t{i} - 1 : kNull});
  heap.Root(RootKind::kStatic, 0, "Head");
  heap.Root(RootKind::kStatic, kNodes - 1, "Tail");
  heap.Finish();
  const Analysed list(heap);
  for (const uint32_t i : {0u, 1u, kNodes / 2, kNodes - 1}) {
    EXPECT_FALSE(list.tree.DominatorOf(ObjectIndex(i)).Valid()) << i;
    EXPECT_EQ(list.Retained(i), 32u) << i;
  }
}

TEST(HardCases, FullBinaryTree) {
  constexpr uint32_t kNodes = (1u << 20) - 1;  // 20 levels; children of i are 2i + 1 and 2i + 2
  MemoryHeap heap;
  const uint32_t node = heap.Class("Node", 32, {8, 16});
  for (uint32_t i = 0; i < kNodes; ++i) {
    const bool leaf = 2 * i + 2 >= kNodes;
    heap.Object(node, {leaf ? kNull : 2 * i + 1, leaf ? kNull : 2 * i + 2});
  }
  heap.Root(RootKind::kStatic, 0, "Tree.Top");
  heap.Finish();
  const Analysed tree(heap);
  EXPECT_EQ(tree.Retained(0), uint64_t{kNodes} * 32);
  EXPECT_EQ(tree.Retained(1), uint64_t{(1u << 19) - 1} * 32);  // one level less
  EXPECT_EQ(tree.paths.PathTo(ObjectIndex(kNodes - 1))->objects.size(), 20u);
  for (uint32_t i = 1; i < kNodes; i += 4999) EXPECT_EQ(tree.tree.DominatorOf(ObjectIndex(i)).value, (i - 1) / 2);
}

TEST(HardCases, EverythingFromEverything) {
  constexpr uint32_t kObjects = 1'000;
  MemoryHeap heap;
  const uint32_t array = heap.Array("System.Object[]", 8, {0});
  std::vector<int64_t> all;
  for (uint32_t i = 0; i < kObjects; ++i) all.push_back(i);
  for (uint32_t i = 0; i < kObjects; ++i) heap.Object(array, all, kObjects);  // 24 + 8,000 = 8,024 bytes
  heap.Root(RootKind::kStatic, 7, "Seven");
  heap.Finish();
  const Analysed dense(heap);
  EXPECT_EQ(dense.graph.EdgeCount(), 1'000'000u);
  EXPECT_EQ(dense.Retained(7), 8'024'000u);  // 1,000 × 8,024
  EXPECT_EQ(dense.Retained(8), 8'024u);
  EXPECT_EQ(dense.tree.DominatorOf(ObjectIndex(999)).value, 7u);
  EXPECT_EQ(dense.paths.PathTo(ObjectIndex(999))->objects.size(), 2u);
}

TEST(HardCases, ObjectsOverTwoGiBAndSumsOverFour) {
  MemoryHeap heap;
  const uint32_t bytes = heap.Array("System.Byte[]", 1);
  const uint32_t holder = heap.Class("Holder", 32, {8, 16});
  heap.Object(holder, {1, 2});
  heap.NewRange(Generation::kLoh);
  heap.Object(bytes, {}, 3'000'000'000);  // 24 + 3,000,000,000 = 3,000,000,024, a multiple of 8
  heap.Object(bytes, {}, 2'500'000'001);  // 24 + 2,500,000,001 → 2,500,000,032
  heap.Root(RootKind::kStatic, 0, "Big");
  heap.Finish();
  const Analysed big(heap);
  EXPECT_EQ(big.graph.SizeOf(ObjectIndex(1)), 3'000'000'024u);
  EXPECT_EQ(big.graph.SizeOf(ObjectIndex(2)), 2'500'000'032u);
  EXPECT_EQ(big.Retained(0), 5'500'000'088u);  // 32 + 3,000,000,024 + 2,500,000,032
  EXPECT_EQ(big.reachable.ByType()[bytes], (ObjectTotals{2, 5'500'000'056}));
  const auto by_type = RetainedUnions(big.tree, big.sizes, 2, [&](ObjectIndex o) { return big.graph.TypeOf(o).value; });
  EXPECT_EQ(by_type[bytes], 5'500'000'056u);
  EXPECT_EQ(by_type[holder], 5'500'000'088u);
}

TEST(HardCases, SelfReferences) {
  MemoryHeap heap;
  const uint32_t node = heap.Class("Node", 32, {8, 16});
  heap.Object(node, {0, 1});
  heap.Object(node, {1, 1});
  heap.Object(node, {2, 2});  // garbage that holds itself
  heap.Root(RootKind::kStatic, 0, "S");
  heap.Root(RootKind::kStatic, 0, "T");
  heap.Finish();
  const Analysed self(heap);
  EXPECT_EQ(self.Retained(0), 64u);  // 2 × 32
  EXPECT_EQ(self.Retained(1), 32u);
  EXPECT_FALSE(self.reachable.IsReachable(ObjectIndex(2)));
  EXPECT_EQ(self.Retained(2), 0u);
}

TEST(HardCases, NoRoots) {
  MemoryHeap heap;
  const uint32_t node = heap.Class("Node", 24, {8});
  heap.Object(node, {1});
  heap.Object(node, {0});
  heap.Finish();
  const Analysed none(heap);
  EXPECT_EQ(none.reachable.Total(), (ObjectTotals{0, 0}));
  EXPECT_EQ(none.tree.Count(), 1u);  // the virtual root
  EXPECT_FALSE(none.paths.PathTo(ObjectIndex(0)).has_value());
}

TEST(HardCases, NoObjects) {
  MemoryHeap heap;
  heap.Finish();
  const Analysed empty(heap);
  EXPECT_EQ(empty.tree.Count(), 1u);
  EXPECT_TRUE(empty.paths.InOrder().empty());
}

TEST(HardCases, OneObject) {
  MemoryHeap heap;
  heap.Object(heap.Class("Only", 24));
  heap.Root(RootKind::kLocal, 0);
  heap.Finish();
  const Analysed one(heap);
  EXPECT_EQ(one.Retained(0), 24u);
  EXPECT_EQ(one.paths.PathTo(ObjectIndex(0))->objects.size(), 1u);
  EXPECT_FALSE(one.tree.DominatorOf(ObjectIndex(0)).Valid());
}

TEST(HardCases, SparseArrayOfAHundredMillionSlots) {
  constexpr uint64_t kSlots = 100'000'000;
  MemoryHeap heap;
  const uint32_t leaf = heap.Class("Leaf", 24), array = heap.Array("Leaf[]", 8, {0}, {""});
  heap.Object(leaf);
  heap.Object(leaf);
  heap.NewRange(Generation::kLoh);
  const uint32_t sparse = heap.SparseArray(array, kSlots);  // 24 + 800,000,000
  heap.Point(sparse, 12'345'678, 0);
  heap.Point(sparse, kSlots - 1, 1);
  heap.Root(RootKind::kStatic, sparse, "Sparse");
  heap.Finish();
  const Analysed wide(heap);
  EXPECT_EQ(wide.graph.EdgeCount(), 2u);
  EXPECT_EQ(wide.Retained(sparse), 800'000'072u);  // 800,000,024 + 2 × 24
  FieldNames names(wide.graph, heap);
  EXPECT_EQ(*names.NameOf({ObjectIndex(sparse), 0}), "[12345678]");
  EXPECT_EQ(*names.NameOf({ObjectIndex(sparse), 1}), "[99999999]");
}

TEST(HardCases, TableRetainsNoneOfTheValues) {
  MemoryHeap heap;
  const uint32_t table = heap.Class("Table", 32), key = heap.Class("Key", 24), value = heap.Class("Value", 40);
  heap.Object(table);
  heap.Object(key);
  heap.Object(value);
  heap.Root(RootKind::kStatic, 0, "Table");
  heap.Root(RootKind::kStatic, 1, "Key");
  heap.Dependent(1, 2);
  heap.Finish();
  const Analysed dependent(heap);
  EXPECT_EQ(dependent.Retained(0), 32u);
  EXPECT_EQ(dependent.Retained(1), 64u);  // 24 + 40
}

}  // namespace
}  // namespace cairn::analysis::testing
