#include "collector/capture/walk_plan.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

constexpr uint64_t kMiB = 1024 * 1024;

// A process of 1 GiB on two processors.
WalkPlan PlanOf(ForkOdds fork) {
  WalkPlan plan;
  plan.budget = {1024 * kMiB, kMiB * kMiB, {}};
  plan.threads = 2;
  plan.largest = Estimate(plan.constants, LargestWalk(plan.budget.resident), plan.threads, false);
  plan.fork = fork;
  return plan;
}

TEST(WalkPlanTest, OfTheSpoolNothingIsTouchedWhereAForkIsCertain) {
  const auto memories = MakeWalkMemories(PlanOf(ForkOdds::kCertain));
  ASSERT_NE(memories, nullptr);
  ASSERT_EQ(memories->spools.size(), 2u);
  for (const auto& spool : memories->spools) EXPECT_EQ(spool->SpoolTouched(), 0u);
  EXPECT_NE(memories->child, nullptr);
}

// A fork of 1024 MiB takes 24.064 ms, in which a thread walks 24,064,000 / 9.5 = 2,533,053 objects of 7 B.
TEST(WalkPlanTest, WhereAForkIsLikelyAsMuchAsTheLongestWalkBelowItWrites) {
  const WalkPlan plan = PlanOf(ForkOdds::kLikely);
  EXPECT_EQ(SpoolBelowFork(plan.constants, plan.largest), 17'731'368u);
  const auto memories = MakeWalkMemories(plan);
  ASSERT_NE(memories, nullptr);
  ASSERT_EQ(memories->spools.size(), 2u);
  for (const auto& spool : memories->spools) EXPECT_EQ(spool->SpoolTouched(), 17'731'584u);  // 4,329 pages
}

// 1024 MiB / 10 for both: 53,687,091 B each, in 13,108 pages.
TEST(WalkPlanTest, WhereThereIsNoForkAsMuchAsACommonHeapTakes) {
  WalkPlan plan = PlanOf(ForkOdds::kNone);
  plan.fork_refusal = &kForkMemory;
  const auto memories = MakeWalkMemories(plan);
  ASSERT_NE(memories, nullptr);
  ASSERT_EQ(memories->spools.size(), 2u);
  for (const auto& spool : memories->spools) EXPECT_EQ(spool->SpoolTouched(), 53'690'368u);
  EXPECT_EQ(memories->child, nullptr);
}

}  // namespace
}  // namespace cairn::collector
