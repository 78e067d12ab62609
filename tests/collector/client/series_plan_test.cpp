#include "collector/client/series_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collector/client/series_keeper.h"

namespace cairn::client {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Clock::time_point kStart{};

HeapReading Reading(uint64_t bytes, uint64_t number) { return {bytes, number}; }

TEST(SeriesPlan, TheFirstIsDueAtOnce) {
  SeriesPlan plan({}, std::nullopt, kStart);
  EXPECT_EQ(plan.Due(kStart, std::nullopt), SnapshotCause::kStart);
  plan.Captured(kStart, 100, 0);
  EXPECT_EQ(plan.Due(kStart + 24h, Reading(1000, 1)), std::nullopt);  // nothing else was asked for
}

TEST(SeriesPlan, ByTimeFromTheStart) {
  SeriesOptions options;
  options.every = 30s;
  SeriesPlan plan(options, std::nullopt, kStart);
  plan.Captured(kStart + 2s, 100, 0);
  EXPECT_EQ(plan.Due(kStart + 29999ms, std::nullopt), std::nullopt);
  EXPECT_EQ(plan.Due(kStart + 30s, std::nullopt), SnapshotCause::kEvery);
  plan.Captured(kStart + 31s, 100, 0);
  EXPECT_EQ(plan.Due(kStart + 59s, std::nullopt), std::nullopt);
  EXPECT_EQ(plan.Due(kStart + 60s, std::nullopt), SnapshotCause::kEvery);
}

TEST(SeriesPlan, WhatFellDueDuringACaptureIsNotMadeUpFor) {
  SeriesOptions options;
  options.every = 10s;
  SeriesPlan plan(options, std::nullopt, kStart);
  plan.Captured(kStart + 35s, 100, 0);  // 10, 20 and 30 have passed
  EXPECT_EQ(plan.Due(kStart + 39s, std::nullopt), std::nullopt);
  EXPECT_EQ(plan.Due(kStart + 40s, std::nullopt), SnapshotCause::kEvery);
  plan.Captured(kStart + 50s, 100, 0);  // exactly when the next fell due: that one has passed too
  EXPECT_EQ(plan.Due(kStart + 59s, std::nullopt), std::nullopt);
}

TEST(SeriesPlan, WhenTheHeapHasGrown) {
  SeriesOptions options;
  options.grows_percent = 20;
  SeriesPlan plan(options, std::nullopt, kStart);
  plan.Captured(kStart, 1000, 3);
  EXPECT_EQ(plan.Due(kStart, std::nullopt), std::nullopt);
  EXPECT_EQ(plan.Due(kStart, Reading(5000, 3)), std::nullopt);  // from before the snapshot
  EXPECT_EQ(plan.Due(kStart, Reading(500, 4)), std::nullopt);   // smaller
  EXPECT_EQ(plan.Due(kStart, Reading(1199, 5)), std::nullopt);
  EXPECT_EQ(plan.Due(kStart, Reading(1200, 6)), SnapshotCause::kGrowth);
  plan.Captured(kStart, 1200, 6);
  EXPECT_EQ(plan.Due(kStart, Reading(1439, 7)), std::nullopt);
  EXPECT_EQ(plan.Due(kStart, Reading(1440, 8)), SnapshotCause::kGrowth);  // 20 % of 1200 is 240
}

TEST(SeriesPlan, OnceEachTimeTheHeapPassesTheLimit) {
  SeriesPlan plan({}, 2000, kStart);
  plan.Captured(kStart, 1000, 0);
  EXPECT_EQ(plan.Due(kStart, Reading(1999, 1)), std::nullopt);
  EXPECT_EQ(plan.Due(kStart, Reading(2000, 2)), SnapshotCause::kOver);
  plan.Captured(kStart, 2100, 2);
  EXPECT_EQ(plan.Due(kStart, Reading(3000, 3)), std::nullopt);  // stays above
  EXPECT_EQ(plan.Due(kStart, Reading(1500, 4)), std::nullopt);  // below again
  EXPECT_EQ(plan.Due(kStart, Reading(2500, 5)), SnapshotCause::kOver);
}

TEST(SeriesPlan, AHeapAboveTheLimitFromTheStartIsInTheFirst) {
  SeriesPlan plan({}, 2000, kStart);
  plan.Captured(kStart, 2500, 0);
  EXPECT_EQ(plan.Due(kStart, Reading(2600, 1)), std::nullopt);
}

TEST(SeriesPlan, ALimitPassedStaysDueUntilItIsCaptured) {
  SeriesPlan plan({}, 2000, kStart);
  plan.Captured(kStart, 1000, 0);
  EXPECT_EQ(plan.Due(kStart, Reading(2500, 1)), SnapshotCause::kOver);
  EXPECT_EQ(plan.Due(kStart, Reading(2500, 1)), SnapshotCause::kOver);
}

TEST(SeriesPlan, EndsByCountOrTime) {
  SeriesOptions options;
  options.count = 2;
  options.duration = 10s;
  SeriesPlan plan(options, std::nullopt, kStart);
  plan.Captured(kStart, 100, 0);
  EXPECT_EQ(plan.Ended(kStart + 9999ms), std::nullopt);
  EXPECT_EQ(plan.Ended(kStart + 10s), SeriesEnd::kDuration);
  plan.Captured(kStart, 100, 0);
  EXPECT_EQ(plan.Ended(kStart), SeriesEnd::kCount);
  SeriesPlan endless({}, std::nullopt, kStart);
  endless.Captured(kStart, 100, 0);
  EXPECT_EQ(endless.Ended(kStart + 10000h), std::nullopt);
}

TEST(SeriesPlan, NamesAreThoseOfTheContract) {
  EXPECT_STREQ(EndName(SeriesEnd::kCount), "count");
  EXPECT_STREQ(EndName(SeriesEnd::kDuration), "duration");
  EXPECT_STREQ(EndName(SeriesEnd::kTargetExited), "target exited");
  EXPECT_STREQ(EndName(SeriesEnd::kInterrupted), "interrupted");
}

TEST(SeriesKeeper, KeepsEverythingUnlessToldOtherwise) {
  SeriesKeeper keeper({}, {});
  for (int i = 0; i < 100; ++i) EXPECT_THAT(keeper.Add("f", 1 << 30), IsEmpty());
}

TEST(SeriesKeeper, KeepsTheLast) {
  SeriesKeeper keeper(2, {});
  EXPECT_THAT(keeper.Add("a", 1), IsEmpty());
  EXPECT_THAT(keeper.Add("b", 1), IsEmpty());
  EXPECT_THAT(keeper.Add("c", 1), ElementsAre("a"));
  EXPECT_THAT(keeper.Add("d", 1), ElementsAre("b"));
}

TEST(SeriesKeeper, KeepsWhatFits) {
  SeriesKeeper keeper({}, 100);
  EXPECT_THAT(keeper.Add("a", 40), IsEmpty());
  EXPECT_THAT(keeper.Add("b", 60), IsEmpty());              // exactly 100
  EXPECT_THAT(keeper.Add("c", 50), ElementsAre("a", "b"));  // 110 without a
  EXPECT_THAT(keeper.Add("d", 500), ElementsAre("c"));      // the newest stays, whatever its size
  EXPECT_THAT(keeper.Add("e", 1), ElementsAre("d"));
}

}  // namespace
}  // namespace cairn::client
