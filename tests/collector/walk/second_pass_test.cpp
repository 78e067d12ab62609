// A forked child walks twice; while it does so for the second time, contexts are unloaded behind its back.

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/collector/walk/heap_builder.h"
#include "tests/collector/walk/walked_heap.h"

namespace cairn::collector {
namespace {

// Flags and base size of a MethodTable are its first two words of 32 bits.
void Overwrite(HeapBuilder& heap, uint64_t method_table, uint64_t head) {
  for (uint64_t at = 0; at < sizeof head; at += heap.Word()) heap.Poke(method_table + at, head >> (8 * at));
}

void WalkAgainOver(const LayoutPolicy& layout, uint64_t head) {
  HeapBuilder heap(layout);
  const uint64_t word = heap.Word();
  const uint64_t node = heap.Class(static_cast<uint32_t>(3 * word), {{static_cast<uint32_t>(word), 1}});
  const uint64_t bytes = heap.PrimitiveArray(1);
  heap.BeginRange(stream::Generation::kGen1);
  for (uint64_t i = 0; i < 100; ++i) heap.Set(heap.Object(node), word, heap.At());
  for (uint64_t i = 0; i < 100; ++i) heap.Object(bytes, i);
  std::vector<HeapRange> ranges = {heap.EndRange()};

  WalkedHeap again(layout);
  const WalkReport first = again.Walker().Count(ranges);
  ASSERT_EQ(first.objects, 200u);
  std::vector<uint32_t> order(again.Walker().Types().size());
  std::iota(order.begin(), order.end(), 0u);
  again.Walker().Renumber(order);
  Overwrite(heap, node, head);
  Overwrite(heap, bytes, head);

  const WalkReport second = again.Walk(ranges);
  EXPECT_EQ(second.objects, first.objects);
  EXPECT_EQ(second.bytes, first.bytes);
  EXPECT_EQ(second.edges, 100u);
  EXPECT_EQ(second.problem_count, 0u);
  EXPECT_EQ(ranges[0].walked, ranges[0].length);
  EXPECT_EQ(again.Objects(ranges).size(), 200u);
}

TEST(SecondPassTest, MethodTablesMayBeGone) {
  WalkAgainOver(X64Layout(10), 0);
  WalkAgainOver(X86Layout(10), 0);
}

TEST(SecondPassTest, OthersMayLieWhereTheyWere) {
  const uint64_t larger = uint64_t{72} << 32;  // flags 0, base size 72
  WalkAgainOver(X64Layout(10), larger);
  WalkAgainOver(X86Layout(10), larger);
}

}  // namespace
}  // namespace cairn::collector
