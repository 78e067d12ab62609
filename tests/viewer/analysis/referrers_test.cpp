#include "viewer/analysis/referrers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/analysis/memory_heap.h"

namespace cairn::analysis::testing {
namespace {

using ::testing::ElementsAreArray;

constexpr uint64_t kBlock = 64, kPiece = uint64_t{1} << 18;

// The array's edges are the graph's first ones, so that the number of a slot is that of the edge.
class ReferrersTest : public ::testing::Test {
 protected:
  void LayOut(uint64_t length) {
    const uint32_t array = heap_.Array("Object[]", 8, {0}), leaf = heap_.Class("Leaf", 24);
    std::vector<int64_t> targets(length, kOther);
    for (const uint64_t slot : slots_) targets[slot] = kTarget;
    heap_.Object(array, targets, length);
    heap_.Object(leaf);
    heap_.Object(leaf);
    heap_.Finish();
  }

  static constexpr int64_t kOther = 1, kTarget = 2;
  std::vector<uint64_t> slots_;
  MemoryHeap heap_;
  Work work_;
};

// Edges are looked at in blocks of 64 and pieces of 2^18; the last block has 7 edges.
TEST_F(ReferrersTest, AreFoundOnBothSidesOfEveryBorder) {
  const uint64_t length = 2 * kPiece + kBlock + 7;
  slots_ = {0,          1,          kBlock - 1,     kBlock,     kBlock + 1, kPiece - 1, kPiece,
            kPiece + 1, 2 * kPiece, 2 * kPiece + 1, length - 8, length - 7, length - 1};
  LayOut(length);
  const HeapGraph graph = BuildGraph(heap_);
  for (const unsigned threads : {1u, 3u}) {
    const auto found = *FindReferrers(graph, ObjectIndex(kTarget), 1000, threads, work_);
    std::vector<uint64_t> ordinals;
    for (const EdgeRef& edge : found.edges) ordinals.push_back(edge.ordinal);
    EXPECT_THAT(ordinals, ElementsAreArray(slots_));
    EXPECT_EQ(found.total, slots_.size());
  }
}

TEST_F(ReferrersTest, AreAllFoundInOneBlockUpToTheLimit) {
  for (uint64_t slot = 0; slot < kBlock; ++slot) slots_.push_back(slot);
  LayOut(3 * kBlock);
  const HeapGraph graph = BuildGraph(heap_);
  const auto found = *FindReferrers(graph, ObjectIndex(kTarget), 10, 2, work_);
  EXPECT_EQ(found.total, 64u);
  ASSERT_EQ(found.edges.size(), 10u);
  EXPECT_EQ(found.edges.back().ordinal, 9u);
}

TEST_F(ReferrersTest, OfAnObjectAreASetOfTheirSources) {
  slots_ = {3, kPiece};
  LayOut(kPiece + 1);
  const HeapGraph graph = BuildGraph(heap_);
  const auto set = *ReferrerSet::Find(graph, ObjectIndex(kTarget), 2, work_);
  EXPECT_EQ(set.Count(), 1u);
  EXPECT_TRUE(set.Contains(ObjectIndex(0)));
  EXPECT_FALSE(set.Contains(ObjectIndex(1)));
  EXPECT_EQ(ReferrerSet::Find(graph, ObjectIndex(0), 2, work_)->Count(), 0u);
}

}  // namespace
}  // namespace cairn::analysis::testing
