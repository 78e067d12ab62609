#include "collector/capture/gc_tracker.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

constexpr uint64_t kMs = 1'000'000;

TEST(GcTrackerTest, TakesOnlyASuspendedInducedCollectionOfEverything) {
  GcTracker tracker;
  EXPECT_FALSE(tracker.CollectionStarted(true, true)) << "a background collection: nobody is suspended";
  tracker.SuspendStarted(1 * kMs);
  tracker.SuspendFinished(2 * kMs);
  EXPECT_FALSE(tracker.CollectionStarted(false, true)) << "younger generations only";
  EXPECT_FALSE(tracker.CollectionStarted(true, false)) << "not asked for";
  EXPECT_TRUE(tracker.CollectionStarted(true, true));
  EXPECT_TRUE(tracker.InFittingCollection());
  tracker.CollectionFinished();
  EXPECT_FALSE(tracker.InFittingCollection());
}

TEST(GcTrackerTest, ACollectionThatOutlivesItsSuspensionDoesNotFit) {
  GcTracker tracker;
  tracker.SuspendFinished(1 * kMs);
  ASSERT_TRUE(tracker.CollectionStarted(true, true));
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

// Started 10, stopped 12, roots 30, walk 31 to 51, running again 60.
TEST(GcTrackerTest, PartsOfThePause) {
  GcTracker tracker;
  tracker.SuspendStarted(1 * kMs);  // an earlier suspension
  tracker.SuspendFinished(2 * kMs);
  tracker.ResumeStarted();
  tracker.ResumeFinished(3 * kMs);
  tracker.SuspendStarted(10 * kMs);
  tracker.SuspendFinished(12 * kMs);
  tracker.CollectionStarted(true, true);
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
