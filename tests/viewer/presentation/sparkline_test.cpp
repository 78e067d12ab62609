#include "viewer/presentation/sparkline.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace cairn::presentation {
namespace {

std::string Line(std::vector<uint64_t> values) { return Sparkline(values); }

TEST(Sparkline, FromTheLeastToTheGreatest) {
  EXPECT_EQ(Line({0, 1, 2, 3, 4, 5, 6, 7}), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(Line({1000, 0, 1000}), "█▁█");
  EXPECT_EQ(Line({5'000'000'000, 5'000'000'001}), "▁█");
}

TEST(Sparkline, WhatDoesNotChangeIsFlat) {
  EXPECT_EQ(Line({7, 7, 7}), "▁▁▁");
  EXPECT_EQ(Line({}), "");
}

TEST(Sparkline, LongSeriesAreSpreadOver24Bars) {
  std::vector<uint64_t> values(1000);
  std::iota(values.begin(), values.end(), 0);
  const std::string line = Line(values);
  EXPECT_EQ(line.size(), 24 * std::string("▁").size());
  EXPECT_EQ(line.substr(0, 3), "▁");
  EXPECT_EQ(line.substr(line.size() - 3), "█");  // the last value is among them
}

}  // namespace
}  // namespace cairn::presentation
