// The parts that ask the runtime, against a made-up one.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "collector/capture/api_inspector.h"
#include "collector/capture/context_keeper.h"
#include "collector/capture/gc_events.h"
#include "collector/capture/heap_bounds.h"
#include "collector/capture/runtime_access.h"
#include "tests/collector/capture/fake_runtime.h"

namespace cairn::collector {
namespace {

using abi::GcGeneration;
using stream::Generation;

class HeapBoundsTest : public ::testing::Test {
 protected:
  bool PrepareAndRead() { return bounds_.Prepare(runtime_.As(), runtime_.As()) && bounds_.Read(X64Layout(10)); }
  FakeRuntime runtime_;
  HeapBounds bounds_;
};

TEST_F(HeapBoundsTest, SortsAndDropsEmptyRanges) {
  runtime_.ranges = {{GcGeneration::kPinnedObjectHeap, 0x5000, 0x10, 0x100},
                     {GcGeneration::kLargeObjectHeap, 0x4000, 0x20, 0x100},
                     {GcGeneration::kGen2, 0x1000, 0x30, 0x100},
                     {GcGeneration::kGen1, 0x3000, 0, 0x100},
                     {GcGeneration::kGen0, 0x2000, 0x40, 0x100}};
  runtime_.frozen = {{0x1800, 0x50, 0x200}};
  ASSERT_TRUE(PrepareAndRead());
  const auto ranges = bounds_.Ranges();
  ASSERT_EQ(ranges.size(), 5u);
  const std::pair<uint64_t, Generation> expected[] = {{0x1000, Generation::kGen2},
                                                      {0x1800, Generation::kFrozen},
                                                      {0x2000, Generation::kGen0},
                                                      {0x4000, Generation::kLoh},
                                                      {0x5000, Generation::kPoh}};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(ranges[i].start, expected[i].first);
    EXPECT_EQ(ranges[i].generation, expected[i].second);
  }
  EXPECT_EQ(ranges[1].reserved, 0x200u);
  EXPECT_EQ(bounds_.Bytes(), 0xF0u);  // 10 + 20 + 30 + 40 + 50, hex
}

TEST_F(HeapBoundsTest, GrowsInThePauseWhenTheHeapDid) {
  ASSERT_TRUE(bounds_.Prepare(runtime_.As(), runtime_.As()));
  for (uint64_t i = 0; i < 10000; ++i) runtime_.ranges.push_back({GcGeneration::kGen2, 0x1000 * (i + 1), 8, 8});
  ASSERT_TRUE(bounds_.Read(X64Layout(10)));
  EXPECT_EQ(bounds_.Ranges().size(), 10000u);
}

TEST_F(HeapBoundsTest, ReadsAgain) {
  runtime_.ranges = {{GcGeneration::kGen2, 0x1000, 8, 8}};
  ASSERT_TRUE(PrepareAndRead());
  ASSERT_TRUE(bounds_.Read(X64Layout(10)));
  EXPECT_EQ(bounds_.Ranges().size(), 1u);
}

TEST_F(HeapBoundsTest, X86AlignmentDependsOnTheGeneration) {
  runtime_.ranges = {{GcGeneration::kGen2, 0x1000, 8, 8}, {GcGeneration::kLargeObjectHeap, 0x2000, 8, 8}};
  ASSERT_TRUE(bounds_.Prepare(runtime_.As(), nullptr));
  ASSERT_TRUE(bounds_.Read(X86Layout(10)));
  EXPECT_EQ(bounds_.Ranges()[0].alignment, 4u);
  EXPECT_EQ(bounds_.Ranges()[1].alignment, 8u);
}

TEST(ContextKeeperTest, OneHandlePerLoaderAllocator) {
  FakeRuntime runtime;
  runtime.loader_allocators = {{0x100, 0x900}, {0x200, 0x900}, {0x300, 0xA00}};
  std::vector<WalkedType> types(5);
  for (size_t i = 0; i < 3; ++i) types[i].exemplar = 0x100 * (i + 1);
  types[3].exemplar = 0x400;  // says it is collectible, but no context is reported
  for (WalkedType& type : types) {
    type.collectible = true;
    type.objects = 1;
  }
  types[4].collectible = false;
  ApiInspector inspector(runtime.As());
  ContextKeeper keeper;
  ASSERT_TRUE(keeper.Prepare());

  keeper.Keep(types, inspector, runtime.As());

  EXPECT_EQ(runtime.handles_made, (std::vector<uint64_t>{0x900, 0xA00}));
  EXPECT_EQ(types[1].loader_allocator, 0x900u);
  EXPECT_EQ(types[4].loader_allocator, 0u);
  for (size_t i : {0, 1, 2, 4}) EXPECT_TRUE(keeper.IsSafe(types[i])) << i;
  EXPECT_FALSE(keeper.IsSafe(types[3]));
  keeper.LetGo(runtime.As());
  EXPECT_EQ(runtime.handles_destroyed, 2);
  keeper.LetGo(runtime.As());
  EXPECT_EQ(runtime.handles_destroyed, 2) << "once";
}

TEST(ContextKeeperTest, WithoutHandlesNothingIsSafe) {
  FakeRuntime runtime;
  runtime.loader_allocators = {{0x100, 0x900}};
  std::vector<WalkedType> types(1);
  types[0].exemplar = 0x100;
  types[0].collectible = true;
  types[0].objects = 1;
  ApiInspector inspector(runtime.As());
  ContextKeeper keeper;
  ASSERT_TRUE(keeper.Prepare());
  keeper.Keep(types, inspector, nullptr);
  EXPECT_EQ(types[0].loader_allocator, 0x900u) << "the edge is known all the same";
  EXPECT_FALSE(keeper.IsSafe(types[0]));
}

std::vector<uint8_t> HeapStats(bool fifth) {
  std::vector<uint8_t> payload(4 * 16 + 2 * 8 + 3 * 4 + 2 + (fifth ? 16 : 0), 0xEE);
  const uint64_t sizes[] = {1, 20, 300, 4000, 50000};
  for (size_t i = 0; i < 4; ++i) std::memcpy(payload.data() + i * 16, &sizes[i], 8);
  if (fifth) std::memcpy(payload.data() + 94, &sizes[4], 8);  // 64 + 16 + 12 + 2
  return payload;
}

TEST(GcEventsTest, SumsTheGenerations) {
  uint64_t bytes = 0;
  ASSERT_TRUE(HeapStatsBytes(1, HeapStats(false), &bytes));
  EXPECT_EQ(bytes, 4321u);
  ASSERT_TRUE(HeapStatsBytes(2, HeapStats(true), &bytes));
  EXPECT_EQ(bytes, 54321u);
}

TEST(GcEventsTest, RefusesShortPayloads) {
  uint64_t bytes = 0;
  EXPECT_FALSE(HeapStatsBytes(2, HeapStats(false), &bytes));
  EXPECT_FALSE(HeapStatsBytes(1, {}, &bytes));
}

TEST(RuntimeAccessTest, TakesWhatTheRuntimeHas) {
  FakeRuntime runtime;
  runtime.highest_info = 13;
  RuntimeAccess access;
  ASSERT_TRUE(access.Open(runtime.As<abi::IUnknown>()));
  EXPECT_EQ(access.version, "10.0.12");
  EXPECT_EQ(access.major, 10u);
  EXPECT_TRUE(access.events);
  EXPECT_TRUE(access.handles);
  EXPECT_FALSE(access.frozen);
  access.Release();
  EXPECT_EQ(runtime.references, 0);
}

TEST(RuntimeAccessTest, TooOld) {
  FakeRuntime runtime;
  runtime.highest_info = 9;
  RuntimeAccess access;
  EXPECT_FALSE(access.Open(runtime.As<abi::IUnknown>()));
  EXPECT_EQ(runtime.references, 0);
}

}  // namespace
}  // namespace cairn::collector
