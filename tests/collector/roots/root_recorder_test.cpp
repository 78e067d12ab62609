#include "collector/roots/root_recorder.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

constexpr uintptr_t kObjects[] = {0x1000, 0, 0x3000};
constexpr uint32_t kKinds[] = {1, 3, 3}, kFlags[] = {4, 2, 1};
constexpr uintptr_t kIds[] = {0xF0, 0xA0, 0xA8};

TEST(RootRecorder, KeepsTheOrderOfSeveralCalls) {
  RootRecorder recorder;
  ASSERT_TRUE(recorder.Map(8));
  recorder.RecordRoots(3, kObjects, kKinds, kFlags, kIds);
  recorder.RecordRoots(1, kObjects + 2, kKinds + 2, kFlags + 2, kIds + 2);
  ASSERT_EQ(recorder.Roots().size(), 4u);
  EXPECT_EQ(recorder.Roots()[0].object, 0x1000u);
  EXPECT_EQ(recorder.Roots()[0].id, 0xF0u);
  EXPECT_EQ(recorder.Roots()[1].kind, 3u);
  EXPECT_EQ(recorder.Roots()[1].flags, 2u);
  EXPECT_EQ(recorder.Roots()[3].object, 0x3000u);
}

TEST(RootRecorder, CountsWhatDoesNotFit) {
  RootRecorder recorder;
  ASSERT_TRUE(recorder.Map(2));
  recorder.RecordRoots(3, kObjects, kKinds, kFlags, kIds);
  recorder.RecordDependents(3, kObjects, kObjects);
  recorder.RecordDependents(1, kObjects, kObjects);
  EXPECT_EQ(recorder.Roots().size(), 2u);
  EXPECT_EQ(recorder.DroppedRoots(), 1u);  // 3 - 2
  EXPECT_EQ(recorder.Dependents().size(), 2u);
  EXPECT_EQ(recorder.DroppedDependents(), 2u);  // 4 - 2
}

TEST(RootRecorder, StartsAgainAfterReset) {
  RootRecorder recorder;
  ASSERT_TRUE(recorder.Map(2));
  recorder.RecordRoots(3, kObjects, kKinds, kFlags, kIds);
  recorder.Reset();
  EXPECT_TRUE(recorder.Roots().empty());
  EXPECT_EQ(recorder.DroppedRoots(), 0u);
  recorder.RecordRoots(1, kObjects, kKinds, kFlags, kIds);
  EXPECT_EQ(recorder.Roots().size(), 1u);
}

TEST(RootRecorder, DropsEverythingWhenNothingIsMapped) {
  RootRecorder recorder;
  recorder.RecordRoots(3, kObjects, kKinds, kFlags, kIds);
  EXPECT_TRUE(recorder.Roots().empty());
  EXPECT_EQ(recorder.DroppedRoots(), 3u);
}

TEST(RootRecorder, HoldsAMillionRoots) {
  RootRecorder recorder;
  ASSERT_TRUE(recorder.Map(RootRecorder::kDefaultCapacity));
  for (size_t i = 0; i < RootRecorder::kDefaultCapacity; ++i) recorder.RecordRoots(1, kObjects, kKinds, kFlags, kIds);
  EXPECT_EQ(recorder.Roots().size(), size_t{1} << 20);
  EXPECT_EQ(recorder.DroppedRoots(), 0u);
}

}  // namespace
}  // namespace cairn::collector
