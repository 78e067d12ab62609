#include "collector/capture/gc_tracker.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

constexpr uint64_t kMs = 1'000'000;

constexpr abi::Bool kGen0[] = {1, 0, 0, 0, 0}, kGen1[] = {1, 1, 0, 0, 0}, kAll[] = {1, 1, 1, 1, 1};
constexpr abi::Bool kAllOfOldRuntime[] = {1, 1, 1, 1};  // before .NET 5

TEST(GcTrackerTest, TakesOnlyASuspendedInducedCollectionOfEverything) {
  GcTracker tracker;
  EXPECT_FALSE(tracker.CollectionStarted(kAll, true)) << "a background collection: nobody is suspended";
  tracker.SuspendStarted(1 * kMs);
  tracker.SuspendFinished(2 * kMs);
  EXPECT_FALSE(tracker.CollectionStarted(kGen1, true)) << "younger generations only";
  EXPECT_FALSE(tracker.CollectionStarted(kAll, false)) << "not asked for";
  EXPECT_TRUE(tracker.CollectionStarted(kAll, true));
  EXPECT_TRUE(tracker.InFittingCollection());
  tracker.CollectionFinished();
  EXPECT_FALSE(tracker.InFittingCollection());
}

TEST(GcTrackerTest, AYoungCaptureTakesAnyBlockingCollection) {
  GcTracker tracker;
  tracker.SetFitting(FittingCollection::kAny);
  EXPECT_FALSE(tracker.CollectionStarted(kGen0, false)) << "nobody is suspended";
  tracker.SuspendFinished(1 * kMs);
  EXPECT_TRUE(tracker.CollectionStarted(kGen0, false)) << "one of the application's own";
  EXPECT_EQ(tracker.Condemned(), 0);
  EXPECT_TRUE(tracker.CollectionStarted(kGen1, true));
  EXPECT_EQ(tracker.Condemned(), 1);
  EXPECT_TRUE(tracker.CollectionStarted(kAll, false)) << "the runtime made it a full one";
  EXPECT_EQ(tracker.Condemned(), 2);
  EXPECT_TRUE(tracker.CollectionStarted(kAllOfOldRuntime, false));
  EXPECT_EQ(tracker.Condemned(), 2);
}

TEST(GcTrackerTest, TheEventKnowsTheGenerationBetterAndLaterCollectionsDoNotCount) {
  GcTracker tracker;
  tracker.SetFitting(FittingCollection::kAny);
  tracker.SuspendFinished(1 * kMs);
  ASSERT_TRUE(tracker.CollectionStarted(kGen0, true));
  tracker.SetCondemned(1);
  EXPECT_EQ(tracker.Condemned(), 1);
  tracker.MarkWalkFinished(2 * kMs);
  tracker.ResumeStarted();
  tracker.SuspendFinished(3 * kMs);
  tracker.CollectionStarted(kAll, false);
  tracker.SetCondemned(2);
  EXPECT_EQ(tracker.Condemned(), 1) << "that of the walked collection";
}

TEST(GcTrackerTest, TheSecondOfTwoFinishedFitsNoMore) {
  GcTracker tracker;
  tracker.SetFitting(FittingCollection::kAny);
  tracker.SuspendFinished(1 * kMs);
  ASSERT_TRUE(tracker.CollectionStarted(kGen0, true));
  tracker.CollectionFinished();
  EXPECT_TRUE(tracker.Suspended());
  EXPECT_FALSE(tracker.InFittingCollection());
}

TEST(GcTrackerTest, ACollectionThatOutlivesItsSuspensionDoesNotFit) {
  GcTracker tracker;
  tracker.SuspendFinished(1 * kMs);
  ASSERT_TRUE(tracker.CollectionStarted(kAll, true));
  tracker.ResumeStarted();  // the start of a background collection: it goes on with the application running
  EXPECT_FALSE(tracker.Suspended());
  EXPECT_FALSE(tracker.InFittingCollection());
}

TEST(GcTrackerTest, AbortedSuspensionIsNone) {
  GcTracker tracker;
  tracker.SuspendFinished(1 * kMs);
  tracker.SuspendAborted();
  EXPECT_FALSE(tracker.Suspended());
}

TEST(GcTrackerTest, TellsWhetherObjectsMayHaveMovedSinceTheWalk) {
  GcTracker tracker;
  tracker.SuspendFinished(1);
  tracker.CollectionStarted(kAll, true);
  tracker.MarkWalkFinished(2);
  EXPECT_FALSE(tracker.CollectedSinceWalk());
  tracker.ResumeFinished(3);
  EXPECT_FALSE(tracker.CollectedSinceWalk());
  tracker.SuspendFinished(4);
  tracker.CollectionStarted(kAll, false);
  EXPECT_TRUE(tracker.CollectedSinceWalk());
  tracker.Reset();
  EXPECT_FALSE(tracker.CollectedSinceWalk());
}

// Started 10, stopped 12, roots 30, walk 31 to 51, running again 60.
TEST(GcTrackerTest, PartsOfThePause) {
  GcTracker tracker;
  tracker.SuspendStarted(1 * kMs);  // an earlier suspension
  tracker.SuspendFinished(2 * kMs);
  tracker.ResumeStarted();
  tracker.ResumeFinished(3 * kMs);
  tracker.SuspendStarted(10 * kMs);
  tracker.SuspendFinished(12 * kMs);
  tracker.CollectionStarted(kAll, true);
  tracker.MarkRoots(30 * kMs);
  tracker.MarkWalkStarted(31 * kMs);
  tracker.MarkWalkFinished(51 * kMs);
  EXPECT_TRUE(tracker.InWalkedPause());
  EXPECT_FALSE(tracker.WalkedPauseIsOver());
  tracker.ResumeStarted();
  EXPECT_FALSE(tracker.InWalkedPause());
  tracker.ResumeFinished(60 * kMs);
  EXPECT_TRUE(tracker.WalkedPauseIsOver());
  tracker.SuspendStarted(100 * kMs);  // later ones change nothing
  tracker.SuspendFinished(110 * kMs);
  tracker.ResumeFinished(120 * kMs);

  const PauseParts parts = tracker.Parts();
  EXPECT_DOUBLE_EQ(parts.total_ms, 50);   // 60 - 10
  EXPECT_DOUBLE_EQ(parts.suspend_ms, 2);  // 12 - 10
  EXPECT_DOUBLE_EQ(parts.gc_ms, 18);      // 30 - 12
  EXPECT_DOUBLE_EQ(parts.roots_ms, 1);    // 31 - 30
  EXPECT_DOUBLE_EQ(parts.walk_ms, 20);    // 51 - 31
}

}  // namespace
}  // namespace cairn::collector
