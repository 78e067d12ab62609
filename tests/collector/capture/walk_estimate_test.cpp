#include "collector/capture/walk_estimate.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

using protocol::WalkMethod;

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kGiB = uint64_t{1} << 30;

TEST(EstimateTest, Arithmetic) {
  const WalkConstants constants;
  // 10 M objects * 9.5 ns = 95 ms; 1024 MiB * 23,500 ns = 24.064 ms.
  const WalkSize size{10'000'000, 0, kGiB};
  EXPECT_EQ(Estimate(constants, size, 1, false).pause_ns, 95 * kMs);
  EXPECT_EQ(Estimate(constants, size, 4, false).pause_ns, 23'750'000u);
  EXPECT_EQ(Estimate(constants, size, 1, false).fork_ns, 24'064'000u);
  // Counting first: 4.4 ns * 10 M = 44 ms more.
  EXPECT_EQ(Estimate(constants, size, 1, true).fork_ns, 68'064'000u);
  // 100 M slots * 2.9 ns = 290 ms are more than 1,000 objects.
  EXPECT_EQ(Estimate(constants, {1000, 100'000'000, kGiB}, 1, false).pause_ns, 290 * kMs);
  EXPECT_EQ(Estimate(constants, {}, 0, false).pause_ns, 0u);
}

TEST(EstimateTest, TheResidentSetBoundsTheHeap) {
  EXPECT_EQ(LargestWalk(44'000'000).objects, 1'000'000u);  // 44 B each
  EXPECT_EQ(LargestWalk(44'000'000).resident_bytes, 44'000'000u);
}

struct Case {
  const char* what;
  uint64_t pause_ms, fork_ms;
  WalkMethod asked;
  bool safe;
  uint64_t limit_ms;
  WalkChoice expected;
};

TEST(ChooseTest, Table) {
  const Case cases[] = {
      {"the cheaper", 10, 20, WalkMethod::kAuto, true, 0, WalkChoice::kPause},
      {"the cheaper", 30, 20, WalkMethod::kAuto, true, 0, WalkChoice::kFork},
      {"equal: no child", 20, 20, WalkMethod::kAuto, true, 0, WalkChoice::kPause},
      {"not safe", 30, 20, WalkMethod::kAuto, false, 0, WalkChoice::kPause},
      {"asked", 30, 20, WalkMethod::kPause, true, 0, WalkChoice::kPause},
      {"asked", 10, 20, WalkMethod::kFork, true, 0, WalkChoice::kFork},
      {"in time", 30, 20, WalkMethod::kAuto, true, 25, WalkChoice::kFork},
      {"in time", 20, 30, WalkMethod::kAuto, true, 25, WalkChoice::kPause},
      {"exactly in time", 25, 30, WalkMethod::kAuto, true, 25, WalkChoice::kPause},
      {"neither", 30, 30, WalkMethod::kAuto, true, 25, WalkChoice::kNeitherInTime},
      {"the only safe one is late", 30, 20, WalkMethod::kAuto, false, 25, WalkChoice::kNeitherInTime},
      {"asked and late", 30, 20, WalkMethod::kPause, true, 25, WalkChoice::kNeitherInTime},
      {"asked and late", 20, 30, WalkMethod::kFork, true, 25, WalkChoice::kNeitherInTime},
      {"asked and not safe", 20, 10, WalkMethod::kFork, false, 0, WalkChoice::kNeitherInTime},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Choose({c.pause_ms * kMs, c.fork_ms * kMs}, c.asked, c.safe, c.limit_ms * kMs), c.expected)
        << c.what << ": " << c.pause_ms << ", " << c.fork_ms << ", limit " << c.limit_ms;
  }
}

// A thread is worth 3 ms of walking: 9.5 ns * 1 M = 9.5 ms are three of them.
TEST(ThreadsTest, NoMoreThanWorthwhile) {
  const WalkConstants constants;
  EXPECT_EQ(WorthwhileThreads(constants, {1'000'000, 0, 0}, 8), 3u);
  EXPECT_EQ(WorthwhileThreads(constants, {1'000, 0, 0}, 8), 1u);
  EXPECT_EQ(WorthwhileThreads(constants, {100'000'000, 0, 0}, 8), 8u);
  EXPECT_EQ(WorthwhileThreads(constants, {100'000'000, 0, 0}, 0), 1u);
}

TEST(ConstantsTest, OnlyBelievableOnesAreTaken) {
  protocol::Options options;
  EXPECT_EQ(WalkConstants::From(options).ns_per_object, 9.5) << "nothing measured";
  options.walk_ps_per_object = 7'000;
  options.fork_ns_per_resident_mib = 30'000;
  EXPECT_EQ(WalkConstants::From(options).ns_per_object, 7.0);
  EXPECT_EQ(WalkConstants::From(options).fork_ns_per_resident_mib, 30'000.0);
  options.walk_ps_per_object = 1;
  options.fork_ns_per_resident_mib = ~uint32_t{0};
  EXPECT_EQ(WalkConstants::From(options).ns_per_object, 9.5);
  EXPECT_EQ(WalkConstants::From(options).fork_ns_per_resident_mib, 23'500.0);
}

}  // namespace
}  // namespace cairn::collector
