#include "viewer/analysis/growth.h"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::analysis {
namespace {

double Growth(std::vector<uint64_t> values) { return TypicalGrowth(values); }

TEST(TypicalGrowth, OfTwoValuesIsTheirDifference) {
  EXPECT_EQ(Growth({10, 35}), 25);
  EXPECT_EQ(Growth({35, 10}), -25);
  EXPECT_EQ(Growth({6'000'000'000, 1'000'000'000}), -5e9);
}

TEST(TypicalGrowth, OfFewerIsNothing) {
  EXPECT_EQ(Growth({}), 0);
  EXPECT_EQ(Growth({7}), 0);
}

TEST(TypicalGrowth, OfALineIsItsSlope) { EXPECT_EQ(Growth({0, 30, 60, 90, 120}), 30); }

// Slopes of {0, 100, 100, 100}: 100, 50, 100 / 3, 0, 0, 0; the median is 100 / 6.
TEST(TypicalGrowth, OneJumpCountsLittle) {
  EXPECT_DOUBLE_EQ(Growth({0, 100, 100, 100}), 100.0 / 6);
  EXPECT_LT(Growth({0, 100, 100, 100}), Growth({0, 25, 50, 75}));
}

// Slopes of {0, 9, 0}: 9, 0, -9.
TEST(TypicalGrowth, WhatComesBackDidNotGrow) { EXPECT_EQ(Growth({0, 9, 0}), 0); }

}  // namespace
}  // namespace cairn::analysis
