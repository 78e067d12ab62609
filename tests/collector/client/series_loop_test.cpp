#include "collector/client/series_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <set>

#include "collector/client/series_session.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::client {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Error Refusal(const std::string& code) { return {ErrorKind::kFailed, code, "Not now.", ""}; }

// A clock that moves when somebody sleeps, and captures that come out as told.
class MadeUpWorld : public SeriesWorld {
 public:
  Clock::time_point Now() override { return now; }
  void Sleep(milliseconds time) override {
    now += time;
    if (on_sleep) on_sleep();
  }
  bool TargetIsThere() override { return there; }
  std::optional<HeapReading> Heap() override { return heap; }
  uint64_t HeapOf(const CaptureResult& captured) override { return captured.summary.totals.bytes; }
  Result<CaptureResult> Capture() override {
    tried_at.push_back(std::chrono::duration_cast<milliseconds>(now.time_since_epoch()).count());
    now += capture_takes;
    if (on_capture) on_capture();
    if (!refusals.empty()) {
      const std::string code = refusals.front();
      refusals.pop_front();
      if (!code.empty()) return tl::make_unexpected(Refusal(code));
    }
    CaptureResult result;
    result.path = std::to_string(tried_at.size());
    result.file_bytes = 10;
    result.summary.totals.bytes = heap ? heap->bytes : 0;
    return result;
  }
  bool IsAsked() override { return asked > 0 && asked-- > 0; }
  bool AskingEnded() override { return asking_ended && asked == 0; }
  void Remove(const std::string& path) override { removed.push_back(path); }

  Clock::time_point now{};
  milliseconds capture_takes{0};
  bool there = true, asking_ended = false;
  int asked = 0;
  std::optional<HeapReading> heap;
  std::deque<std::string> refusals;  // of the next captures; empty text: it succeeds
  std::function<void()> on_sleep, on_capture;
  std::vector<int64_t> tried_at;  // ms
  std::vector<std::string> removed;
};

class SeriesLoopTest : public ::testing::Test {
 protected:
  Result<SeriesResult> Run() {
    const SeriesEvents events{[&](const CaptureResult&, SnapshotCause cause) { causes.emplace_back(CauseName(cause)); },
                              [&](const std::string& path) { told_removed.push_back(path); },
                              [&](const std::string& note) { notes.push_back(note); }};
    return SeriesLoop(options, options.over_bytes, world, events, cancel).Run();
  }

  SeriesOptions options;
  MadeUpWorld world;
  std::atomic<bool> cancel{false};
  std::vector<std::string> causes, told_removed, notes;
};

TEST_F(SeriesLoopTest, TakesSoManyByTime) {
  options.every = 30s;
  options.count = 3;
  world.capture_takes = 2s;
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, SeriesEnd::kCount);
  EXPECT_EQ(result->snapshots, 3u);
  EXPECT_THAT(world.tried_at, ElementsAre(0, 30000, 60000));
  EXPECT_THAT(causes, ElementsAre("start", "every", "every"));
}

TEST_F(SeriesLoopTest, EndsAfterItsTime) {
  options.every = 1h;
  options.duration = 5s;
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, SeriesEnd::kDuration);
  EXPECT_EQ(result->snapshots, 1u);
  EXPECT_EQ(world.now.time_since_epoch(), 5s);
}

TEST_F(SeriesLoopTest, FollowsTheHeap) {
  options.grows_percent = 50;
  options.count = 2;
  world.heap = {100, 1};
  world.on_sleep = [&] { world.heap = {world.heap->bytes + 10, world.heap->number + 1}; };
  ASSERT_TRUE(Run());
  EXPECT_THAT(world.tried_at, ElementsAre(0, 500));  // five looks later it is 150
  EXPECT_THAT(causes, ElementsAre("start", "heap grew"));
}

TEST_F(SeriesLoopTest, TakesOneForEachTimeItIsAsked) {
  world.on_sleep = [&] {
    if (world.now.time_since_epoch() == 300ms) world.asked = 2;
    world.asking_ended = world.now.time_since_epoch() >= 500ms;
  };
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, SeriesEnd::kInputEnded);
  EXPECT_THAT(world.tried_at, ElementsAre(0, 300, 300));
  EXPECT_THAT(causes, ElementsAre("start", "line", "line"));
}

TEST_F(SeriesLoopTest, WhatWasAskedForIsTakenThoughAskingHasEnded) {
  world.asked = 1;
  world.asking_ended = true;
  world.refusals = {"", "capture.busy", ""};
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, SeriesEnd::kInputEnded);
  EXPECT_THAT(world.tried_at, ElementsAre(0, 0, 1000));  // the second one is tried again after a second
}

TEST_F(SeriesLoopTest, KeepsTheLast) {
  options.every = 1s;
  options.count = 4;
  options.keep_last = 2;
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->dropped, 2u);
  EXPECT_THAT(world.removed, ElementsAre("1", "2"));
  EXPECT_EQ(told_removed, world.removed);
}

TEST_F(SeriesLoopTest, EndsWithTheTarget) {
  options.every = 1s;
  world.on_sleep = [&] { world.there = world.now.time_since_epoch() < 1500ms; };
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, SeriesEnd::kTargetExited);
  EXPECT_EQ(result->snapshots, 2u);
}

TEST_F(SeriesLoopTest, ATargetThatEndsDuringACaptureEndsTheSeries) {
  options.every = 1s;
  world.refusals = {"", "ipc.closed"};
  world.on_capture = [&] { world.there = world.tried_at.size() < 2; };
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, SeriesEnd::kTargetExited);
  EXPECT_EQ(result->snapshots, 1u);
  EXPECT_FALSE(result->error);
}

TEST_F(SeriesLoopTest, ATargetThatEndsBeforeAnySnapshotIsAnError) {
  world.refusals = {"target.exited"};
  const auto result = Run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "target.exited");
}

TEST_F(SeriesLoopTest, InterruptedKeepsWhatThereIs) {
  options.every = 1s;
  world.refusals = {"", "capture.cancelled"};
  world.on_capture = [&] { cancel = world.tried_at.size() == 2; };
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, SeriesEnd::kInterrupted);
  EXPECT_EQ(result->snapshots, 1u);
}

TEST_F(SeriesLoopTest, InterruptedBeforeTheFirstIsNoError) {
  cancel = true;
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, SeriesEnd::kInterrupted);
  EXPECT_EQ(result->snapshots, 0u);
  EXPECT_THAT(world.tried_at, IsEmpty());
}

TEST_F(SeriesLoopTest, TransientRefusalsAreTriedAgain) {
  options.every = 30s;
  options.count = 2;
  world.refusals = {"attach.in_progress", "attach.concurrent_gc", "", ""};
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_THAT(world.tried_at, ElementsAre(0, 1000, 3000, 30000));  // after 1 s, then after 2 s
  EXPECT_THAT(causes, ElementsAre("start", "every"));
  EXPECT_THAT(notes, SizeIs(2));
}

TEST_F(SeriesLoopTest, RefusalsThatLastAreAnError) {
  options.every = 30s;
  world.refusals = std::deque<std::string>(100, "capture.busy");
  const auto result = Run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "capture.busy");
  // 0, then after 1, 2, 4, 8 and each 10 s more: 1, 3, 7, 15, 25, 35, 45, 55, 65
  EXPECT_THAT(world.tried_at, ElementsAre(0, 1000, 3000, 7000, 15000, 25000, 35000, 45000, 55000, 65000));
}

TEST_F(SeriesLoopTest, ALastingRefusalAfterSnapshotsIsToldWithThem) {
  options.every = 1s;
  world.refusals = {"", "", "output.full"};
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->snapshots, 2u);
  ASSERT_TRUE(result->error);
  EXPECT_EQ(result->error->code, "output.full");
}

TEST_F(SeriesLoopTest, AProcessThatTakesItsSocketAwayIsEnding) {
  options.every = 1s;
  world.refusals = {"", "target.no_socket"};
  world.on_sleep = [&] { world.there = world.tried_at.size() < 2; };
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, SeriesEnd::kTargetExited);
  EXPECT_EQ(result->snapshots, 1u);
  EXPECT_FALSE(result->error);
}

TEST_F(SeriesLoopTest, AProcessThatNeverHadASocketIsAnErrorAtOnce) {
  options.every = 1s;
  world.refusals = std::deque<std::string>(100, "target.no_socket");
  const auto result = Run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "target.no_socket");
  EXPECT_THAT(world.tried_at, ElementsAre(0));
}

TEST_F(SeriesLoopTest, ADurationThatOnlySawRefusalsIsAnError) {
  options.duration = 2s;
  world.refusals = {"capture.busy", "capture.busy"};
  const auto result = Run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "capture.busy");
}

TEST(SeriesNames, SortInTheOrderTaken) {
  const snapshot::testing::TemporaryFolder folder;
  const std::string there = folder.File("");
  SeriesNames names(there.substr(0, there.size() - 1), "shop", 12);
  const std::time_t now = 1'000'000'000;
  std::vector<std::string> taken = {names.Next(now), names.Next(now), names.Next(now - 3600), names.Next(now + 1)};
  EXPECT_TRUE(taken[0].starts_with(there + "shop_12_")) << taken[0];
  EXPECT_TRUE(taken[0].ends_with("_0001.cairn")) << taken[0];
  EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end()));
  EXPECT_THAT(std::set<std::string>(taken.begin(), taken.end()), SizeIs(4));
}

TEST(PrepareFolder, MakesItOrSaysWhyNot) {
  const snapshot::testing::TemporaryFolder folder;
  EXPECT_TRUE(PrepareFolder(folder.File("a/b")));
  EXPECT_TRUE(PrepareFolder(folder.File("a/b")));
  std::ofstream(folder.File("file")) << "mine";
  EXPECT_EQ(PrepareFolder(folder.File("file")).error().code, "output.no_folder");
  EXPECT_EQ(PrepareFolder(folder.File("file/below")).error().code, "output.no_folder");
}

}  // namespace
}  // namespace cairn::client
