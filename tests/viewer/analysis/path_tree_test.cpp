#include "viewer/analysis/path_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/analysis/memory_heap.h"
#include "viewer/analysis/type_groups.h"

namespace cairn::analysis::testing {
namespace {

using ::testing::ElementsAre;

struct Held {
  explicit Held(const MemoryHeap& heap, uint32_t type) : graph(BuildGraph(heap)) {
    paths = *ShortestPaths::Build(graph, work);
    const auto wanted = [&](ObjectIndex object) { return graph.TypeOf(object).value == type; };
    tree = *HolderTree::Build(graph, heap, paths, wanted, 2, work);
  }
  // (count, example) of each end.
  std::vector<std::pair<uint64_t, uint32_t>> Ends() const {
    std::vector<std::pair<uint64_t, uint32_t>> ends;
    for (const uint32_t end : tree.Ends()) ends.emplace_back(tree.Nodes()[end].count, tree.Nodes()[end].example.value);
    return ends;
  }
  Work work;
  HeapGraph graph;
  ShortestPaths paths;
  HolderTree tree;
};

TEST(HolderTree, MergesElementsButNotFields) {
  MemoryHeap heap;
  const uint32_t item = heap.Class("Item", 24);
  const uint32_t array = heap.Array("Item[]", 8, {0});
  const uint32_t cache = heap.Class("Cache", 40, {8, 16, 24}, {"_all", "_first", "_last"});
  heap.Object(cache, {1, kNull, 4});
  heap.Object(array, {2, kNull, 3}, 3);
  for (int i = 0; i < 3; ++i) heap.Object(item);
  heap.Object(item);  // 5: garbage
  heap.Root(RootKind::kStatic, 0, "Cache.Instance");
  heap.Finish();
  const Held held(heap, item);
  // 2 by Cache.Instance → _all → [], 1 by Cache.Instance → _last
  EXPECT_THAT(held.Ends(), ElementsAre(std::pair(2u, 2u), std::pair(1u, 4u)));
  EXPECT_EQ(held.tree.Nodes()[held.tree.Ends()[0]].bytes, 48u);
  EXPECT_EQ(held.tree.Nodes()[0].below, 3u);
}

TEST(HolderTree, StructFieldsOfElementsAreToldApart) {
  MemoryHeap heap;
  const uint32_t item = heap.Class("Item", 24);
  const uint32_t entries = heap.Array("Entry[]", 16, {0, 8}, {"Key", "Value"});
  heap.Object(entries, {1, 2, kNull, 3, kNull, 4}, 3);
  for (int i = 0; i < 4; ++i) heap.Object(item);
  heap.Root(RootKind::kStatic, 0, "Map");
  for (const uint32_t slots : {2u, 100u}) {
    MemoryHeap cut = heap;
    cut.Finish(65536, slots);
    const Held held(cut, item);
    EXPECT_THAT(held.Ends(), ElementsAre(std::pair(3u, 2u), std::pair(1u, 1u)));
  }
}

TEST(HolderTree, RootsOfOneKindAndNameAreOne) {
  MemoryHeap heap;
  const uint32_t item = heap.Class("Item", 24);
  for (int i = 0; i < 4; ++i) heap.Object(item);
  heap.Root(RootKind::kHandleStrong, 0);
  heap.Root(RootKind::kHandleStrong, 1);
  heap.Root(RootKind::kHandlePinned, 2);
  heap.Root(RootKind::kHandleWeak, 3);
  heap.Finish();
  EXPECT_THAT(Held(heap, item).Ends(), ElementsAre(std::pair(2u, 0u), std::pair(1u, 2u)));
}

TEST(HolderTree, FindsFieldsAcrossChunks) {
  MemoryHeap heap;
  const uint32_t item = heap.Class("Item", 24);
  const uint32_t allocator = heap.Class("System.Reflection.LoaderAllocator", 24);
  const uint32_t holder = heap.Class("Holder", 40, {8, 16, 24}, {"_a", "_b", "_c"});
  const uint32_t plugin = heap.Class("Plugin", 16);
  const uint32_t pairs = heap.Array("Pair[]", 16, {0, 8}, {"key", "value"});
  heap.Object(holder, {1, kNull, 1});  // 0: the first of two references counts, so _a
  heap.Object(item);
  heap.Object(holder, {kNull, 3, kNull});  // 2: _b
  heap.Object(item);
  heap.Object(holder, {5, 6, 7});  // 4: all of them, without reading
  for (int i = 0; i < 3; ++i) heap.Object(item);
  heap.Object(pairs, {kNull, kNull, kNull, 9, 10, kNull}, 3);  // 8: a value, then a key, in chunks of their own
  heap.Object(item);
  heap.Object(item);
  heap.Object(plugin);  // 11: holds its allocator, and what a dependent handle hangs on it
  heap.Object(allocator);
  heap.MakeCollectible(plugin, 12);
  heap.Object(item);  // 13
  heap.Dependent(11, 13);
  for (const uint32_t root : {0, 2, 4, 8, 11}) heap.Root(RootKind::kStatic, root, "R" + std::to_string(root));
  heap.Finish(2, 3);
  Work work;
  const HeapGraph graph = BuildGraph(heap);
  const ShortestPaths paths = *ShortestPaths::Build(graph, work);
  for (const unsigned threads : {1, 2, 5}) {
    const auto tree = *HolderTree::Build(
        graph, heap, paths, [](ObjectIndex) { return true; }, threads, work);
    const auto field_of = [&](uint32_t object) { return tree.Nodes()[tree.NodeOf(ObjectIndex(object))].field; };
    EXPECT_EQ(field_of(0), kRootField);
    EXPECT_EQ(field_of(1), 0u);
    EXPECT_EQ(field_of(3), 1u);
    EXPECT_EQ(field_of(5), 0u);
    EXPECT_EQ(field_of(6), 1u);
    EXPECT_EQ(field_of(7), 2u);
    EXPECT_EQ(field_of(9), 1u);
    EXPECT_EQ(field_of(10), 0u);
    EXPECT_EQ(field_of(12), kLoaderAllocatorField);
    EXPECT_EQ(field_of(13), kDependentField);
    // The array is 24 and 3 * 16 bytes.
    EXPECT_EQ(tree.Nodes()[tree.NodeOf(ObjectIndex(8))].bytes, 72u);
  }
}

TEST(TypeGroups, NamespaceOfEveryShapeOfName) {
  EXPECT_EQ(NamespaceOf("Shop.Cache<System.String, Shop.Order>+Entry[]"), "Shop");
  EXPECT_EQ(NamespaceOf("System.Collections.Generic.Dictionary<System.String, Shop.Order>"),
            "System.Collections.Generic");
  EXPECT_EQ(NamespaceOf("System.Int32[,]"), "System");
  EXPECT_EQ(NamespaceOf("Program+<>c"), "");
  EXPECT_EQ(NamespaceOf("<>f__AnonymousType0<System.Int32>"), "");
  EXPECT_EQ(NamespaceOf(""), "");
}

TEST(TypeGroups, EveryTypeIsInOneGroup) {
  snapshot::Summary summary;
  summary.modules = {{"A.dll", "", false}, {"B.dll", "", false}};
  for (const char* name : {"X.One", "Y.Two", "X.Three"}) summary.types.emplace_back().name = name;
  summary.types[0].module = 1;
  summary.types[1].module = 0;
  const TypeGroups spaces = GroupByNamespace(summary.types), modules = GroupByModule(summary);
  EXPECT_THAT(spaces.names, ElementsAre("X", "Y"));
  EXPECT_THAT(spaces.of_type, ElementsAre(0, 1, 0));
  EXPECT_THAT(modules.names, ElementsAre("", "A.dll", "B.dll"));
  EXPECT_THAT(modules.of_type, ElementsAre(2, 1, 0));
}

}  // namespace
}  // namespace cairn::analysis::testing
