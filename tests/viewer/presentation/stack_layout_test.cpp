#include "viewer/presentation/layouts/stack_layout.h"

#include <gtest/gtest.h>

namespace cairn::presentation {
namespace {

// Two columns of two layers: 3 + 1 and 2 + 6.
StackedChart Chart() {
  StackedChart chart{"", {{"a"}, {"b"}}, {}};
  chart.columns = {{"1", "", {3, 1}}, {"2", "", {2, 6}}};
  return chart;
}

TEST(StackLayout, PutsLayersUponEachOther) {
  // 200 wide: 100 for each column, of which 12 stay free (a fifth would be 20). 80 high for 8: 10 for each unit.
  const auto parts = LayOutStack(Chart(), {0, 0, 200, 80});
  ASSERT_EQ(parts.size(), 4u);
  const auto is = [&](size_t i, double x, double y, double height) {
    EXPECT_DOUBLE_EQ(parts[i].area.x, x) << i;
    EXPECT_DOUBLE_EQ(parts[i].area.y, y) << i;
    EXPECT_DOUBLE_EQ(parts[i].area.width, 88) << i;
    EXPECT_DOUBLE_EQ(parts[i].area.height, height) << i;
  };
  is(0, 6, 50, 30);    // from the bottom: 80 - 30
  is(1, 6, 40, 10);    // upon it
  is(2, 106, 60, 20);  // the second column
  is(3, 106, 0, 60);   // the highest reaches the top
}

TEST(StackLayout, FindsWhatAPointIsIn) {
  const StackedChart chart = Chart();
  const Rectangle area{0, 0, 200, 80};
  const auto parts = LayOutStack(chart, area);
  EXPECT_EQ(PartAt(parts, 50, 70)->layer, 0u);
  EXPECT_EQ(PartAt(parts, 150, 10)->layer, 1u);
  EXPECT_EQ(PartAt(parts, 50, 10), nullptr);  // above the first column
  EXPECT_EQ(ColumnAt(chart, area, 50, 10), 0u);
  EXPECT_EQ(ColumnAt(chart, area, 199, 10), 1u);
  EXPECT_EQ(ColumnAt(chart, area, 201, 10), std::nullopt);
  EXPECT_EQ(ColumnAt(chart, area, 50, 90), std::nullopt);
}

TEST(StackLayout, DrawsNothingOfNothing) {
  EXPECT_TRUE(LayOutStack({}, {0, 0, 200, 80}).empty());
  EXPECT_TRUE(LayOutStack(Chart(), {0, 0, 0, 0}).empty());
  StackedChart empty = Chart();
  for (StackedColumn& column : empty.columns) column.values = {0, 0};
  EXPECT_TRUE(LayOutStack(empty, {0, 0, 200, 80}).empty());
}

TEST(StackLayout, MarksRoundAmounts) {
  EXPECT_EQ(RoundSteps(8, 4), (std::vector<uint64_t>{2, 4, 6, 8}));
  EXPECT_EQ(RoundSteps(3 * 1024 * 1024, 4), (std::vector<uint64_t>{1048576, 2097152, 3145728}));
  EXPECT_EQ(RoundSteps(1, 4), (std::vector<uint64_t>{1}));
  EXPECT_TRUE(RoundSteps(0, 4).empty());
  EXPECT_LE(RoundSteps(UINT64_MAX, 4).size(), 4u);
}

}  // namespace
}  // namespace cairn::presentation
