#include "viewer/analysis/field_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/analysis/memory_heap.h"

namespace cairn::analysis::testing {
namespace {

using ::testing::ElementsAre;

// The names of all edges of an object, in order.
std::vector<std::string> NamesOf(const MemoryHeap& heap, uint32_t object) {
  const HeapGraph graph = BuildGraph(heap);
  FieldNames names(graph, heap);
  std::vector<std::string> found;
  for (uint64_t i = 0; i < graph.Targets(ObjectIndex(object)).size(); ++i)
    found.push_back(*names.NameOf({ObjectIndex(object), i}));
  return found;
}

TEST(FieldNames, NullsDoNotShiftNames) {
  MemoryHeap heap;
  const uint32_t node = heap.Class("Node", 48, {8, 16, 24}, {"_a", "_pair.Key", "_c"});
  heap.Object(node, {0, 0, 0});
  heap.Object(node, {kNull, 0, 0});
  heap.Object(node, {0, kNull, 0});
  heap.Finish();
  EXPECT_THAT(NamesOf(heap, 0), ElementsAre("_a", "_pair.Key", "_c"));
  EXPECT_THAT(NamesOf(heap, 1), ElementsAre("_pair.Key", "_c"));
  EXPECT_THAT(NamesOf(heap, 2), ElementsAre("_a", "_c"));
}

TEST(FieldNames, ArraysByIndexAndStructsByIndexAndField) {
  MemoryHeap heap;
  const uint32_t array = heap.Array("Object[]", 8, {0}, {""});
  const uint32_t entries = heap.Array("Entry[]", 24, {0, 8}, {"Key", "Value"});
  heap.Object(array, {kNull, 0, kNull, 1}, 4);
  heap.Object(entries, {0, kNull, kNull, kNull, 1, 1}, 3);
  for (const uint32_t slots : {1u, 2u, 100u}) {
    MemoryHeap cut = heap;
    cut.Finish(65536, slots);
    EXPECT_THAT(NamesOf(cut, 0), ElementsAre("[1]", "[3]"));
    EXPECT_THAT(NamesOf(cut, 1), ElementsAre("[0].Key", "[2].Key", "[2].Value"));
  }
}

TEST(FieldNames, ImpliedEdgesAndUnknownSlots) {
  MemoryHeap heap;
  const uint32_t leaf = heap.Class("Leaf", 24), plugin = heap.Class("Plugin", 24, {8}, {""});
  heap.Object(leaf);
  heap.MakeCollectible(plugin, 0);
  heap.Object(plugin, {0});
  heap.Dependent(1, 0);
  heap.Finish();
  EXPECT_THAT(NamesOf(heap, 1), ElementsAre("(offset 8)", "(loader allocator)", "(dependent)"));
}

TEST(SlotReader, ReadsWholeArraysWithNullsUpToALimit) {
  MemoryHeap heap;
  const uint32_t array = heap.Array("Object[]", 8, {0});
  heap.Object(array, {kNull, 0, kNull, 0, kNull}, 5);
  heap.Finish(65536, 2);
  const HeapGraph graph = BuildGraph(heap);
  SlotReader reader(graph, heap);
  const uint64_t self = heap.AddressOf(0);
  const ObjectSlots all = *reader.Read(ObjectIndex(0), 100);
  EXPECT_THAT(all.targets, ElementsAre(0, self, 0, self, 0));
  EXPECT_EQ(all.length, 5u);
  const ObjectSlots some = *reader.Read(ObjectIndex(0), 3);
  EXPECT_THAT(some.targets, ElementsAre(0, self, 0));
  EXPECT_EQ(some.total, 5u);
}

}  // namespace
}  // namespace cairn::analysis::testing
