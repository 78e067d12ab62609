#include "collector/sampling/cost_limit.h"

#include <gtest/gtest.h>

#include <array>

namespace cairn::collector {
namespace {

constexpr uint64_t kWindow = CostLimit::kWindowNs;

TEST(CostLimitTest, LeavesOutWhatIsTooMuch) {
  CostLimit limit(20'000);  // 2 %
  EXPECT_EQ(limit.Update(0, 1), 1u);
  // 7 % in the first window: 7 / 4 is below 2.
  EXPECT_EQ(limit.Update(kWindow / 100 * 7, 1 + kWindow), 4u);
  // 1.9 % now: that is kept.
  EXPECT_EQ(limit.Update(kWindow / 1000 * (70 + 19), 1 + 2 * kWindow), 4u);
  // 0.1 %: twice as many next time, and again.
  EXPECT_EQ(limit.Update(kWindow / 1000 * 90, 1 + 3 * kWindow), 2u);
  EXPECT_EQ(limit.Update(kWindow / 1000 * 91, 1 + 4 * kWindow), 1u);
  EXPECT_EQ(limit.Update(kWindow / 1000 * 91, 1 + 5 * kWindow), 1u);
  EXPECT_EQ(limit.HighestOneIn(), 4u);
}

TEST(CostLimitTest, JudgesOverAWindow) {
  CostLimit limit(20'000);
  limit.Update(0, 1);
  EXPECT_EQ(limit.Update(kWindow / 2, kWindow / 2), 1u);   // all of half a window, but it is not over
  EXPECT_EQ(limit.Update(kWindow / 2, 1 + kWindow), 32u);  // 50 % / 32 is below 2 %
}

TEST(CostLimitTest, HasAnEnd) {
  CostLimit limit(1);
  limit.Update(0, 1);
  EXPECT_EQ(limit.Update(kWindow, 1 + kWindow), CostLimit::kMostOneIn);
}

TEST(CostLimitTest, NoLimit) {
  CostLimit limit(0);
  limit.Update(0, 1);
  EXPECT_EQ(limit.Update(kWindow, 1 + kWindow), 1u);
}

TEST(CostLimitTest, OneInAsManyWhateverTheRhythm) {
  for (const uint32_t one_in : {1u, 2u, 16u}) {
    for (const uint64_t rhythm : {1u, 2u, 3u, 16u}) {
      uint64_t taken = 0;
      for (uint64_t i = 0; i < 100'000; ++i) taken += IsOneIn(one_in, i * rhythm) ? 1 : 0;
      // Binomial: five deviations of at most sqrt(100,000 / one_in).
      EXPECT_NEAR(static_cast<double>(taken), 100'000.0 / one_in, 5 * 316.0) << one_in << ' ' << rhythm;
    }
  }
}

}  // namespace
}  // namespace cairn::collector
