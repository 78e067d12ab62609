#include "viewer/session/steady_growth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::session {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint32_t kNoParent = PathGroup::kNoParent;

// Type i of `kTypes`; the fingerprint is the path.
const std::vector<std::string> kTypes = {"Shop.List", "Shop.Order", "Shop.Name", "Shop.Cart"};

PathGroup Group(const std::string& path, uint32_t parent, uint32_t type, uint64_t objects, uint64_t bytes_each = 10) {
  PathGroup group;
  group.fingerprint = group.path = path;
  group.parent = parent;
  group.type = TypeIndex(type);
  group.objects = objects;
  group.bytes = objects * bytes_each;
  group.retained = objects * 100;
  return group;
}

// A list of orders with a name each, and carts.
std::vector<PathGroup> Shop(uint64_t orders, uint64_t carts, uint64_t list_bytes = 10) {
  return {Group("static L", kNoParent, 0, 1, list_bytes), Group("static L → []", 0, 1, orders),
          Group("static L → [] → name", 1, 2, orders), Group("static C", kNoParent, 3, carts)};
}

struct Series {
  explicit Series(uint64_t least_objects = 1, uint64_t least_bytes = 0) : growth(least_objects, least_bytes) {}
  Series& Then(std::vector<PathGroup> groups, std::vector<bool> wanted = std::vector<bool>(4, true)) {
    growth.Add(std::move(groups), kTypes, wanted);
    return *this;
  }
  std::vector<std::string> Paths() const {
    std::vector<std::string> paths;
    for (const GrowingPath& path : growth.Growing()) paths.push_back(path.path);
    return paths;
  }
  SteadyGrowth growth;
};

TEST(SteadyGrowth, WhatGrowsEveryTimeGrowsAndItsPartsAreCarried) {
  Series series(10);
  series.Then(Shop(5, 1)).Then(Shop(15, 1)).Then(Shop(40, 1));
  EXPECT_TRUE(series.growth.MayGrow());
  EXPECT_THAT(series.Paths(), ElementsAre("static L → []"));
  const GrowingPath path = series.growth.Growing()[0];
  EXPECT_EQ(path.type, "Shop.Order");
  EXPECT_THAT(path.objects, ElementsAre(5, 15, 40));
  EXPECT_THAT(path.bytes, ElementsAre(50, 150, 400));
  EXPECT_THAT(path.retained, ElementsAre(500, 1500, 4000));
}

TEST(SteadyGrowth, OneStepThatIsTooSmallEndsIt) {
  Series series(10);
  series.Then(Shop(5, 1));
  EXPECT_TRUE(series.growth.MayGrow());  // of one snapshot nothing is known yet
  series.Then(Shop(15, 1)).Then(Shop(23, 1));  // 18 more since the first, and two steps ask for 2 × 10 − 1
  EXPECT_FALSE(series.growth.MayGrow());
  series.Then(Shop(100, 1));
  EXPECT_THAT(series.Paths(), IsEmpty());
}

// A stale slot of a stack holds the newest order in the second snapshot, and none in the third.
TEST(SteadyGrowth, OneOfThemMayBeHeldByAStackForTheMoment) {
  Series series(10);
  series.Then(Shop(1, 1)).Then(Shop(10, 1)).Then(Shop(21, 1)).Then(Shop(30, 1));
  EXPECT_THAT(series.Paths(), ElementsAre("static L → []"));
}

TEST(SteadyGrowth, WithOneIterationEveryStepHasToGrow) {
  Series series(1);
  series.Then(Shop(1, 1)).Then(Shop(2, 1)).Then(Shop(2, 1));
  EXPECT_FALSE(series.growth.MayGrow());
}

TEST(SteadyGrowth, WhatFillsOnceAndStaysIsNoLeak) {
  Series series;
  series.Then(Shop(0, 1)).Then(Shop(500, 1)).Then(Shop(500, 2)).Then(Shop(500, 3));
  EXPECT_THAT(series.Paths(), IsEmpty());
}

TEST(SteadyGrowth, TheMostRetainedGrowthComesFirst) {
  Series series;
  series.Then(Shop(1, 1)).Then(Shop(2, 10)).Then(Shop(3, 20));
  EXPECT_THAT(series.Paths(), ElementsAre("static C", "static L → []"));
}

TEST(SteadyGrowth, OnlyWantedTypesCount) {
  Series series;
  const std::vector<bool> names = {false, false, true, false};
  series.Then(Shop(1, 1), names).Then(Shop(2, 10), names).Then(Shop(3, 20), names);
  EXPECT_THAT(series.Paths(), ElementsAre("static L → [] → name"));
}

TEST(SteadyGrowth, BytesCountWhereTheyAreAskedFor) {
  Series objects, bytes(1, 100);
  for (Series* series : {&objects, &bytes}) series->Then(Shop(5, 1, 100)).Then(Shop(5, 1, 200)).Then(Shop(5, 1, 300));
  EXPECT_THAT(objects.Paths(), IsEmpty());
  EXPECT_THAT(bytes.Paths(), ElementsAre("static L"));
}

TEST(PathGrowth, WhatMovesBetweenLocalsAndOthersIsNotAdded) {
  const std::vector<PathGroup> held = {Group("static C", kNoParent, 3, 7)};
  const std::vector<PathGroup> running = {Group("local Main", kNoParent, 3, 9)};
  EXPECT_THAT(Added({held, kTypes}, {running, kTypes}), ElementsAre(GroupSize{2, 20, 200}));
  EXPECT_THAT(Added({running, kTypes}, {held, kTypes}), ElementsAre(GroupSize{0, 0, 0}));
  // Between two others it is: what is lost here may be what is gained there, or not.
  const std::vector<PathGroup> elsewhere = {Group("static D", kNoParent, 3, 9)};
  EXPECT_THAT(Added({held, kTypes}, {elsewhere, kTypes}), ElementsAre(GroupSize{9, 90, 900}));
}

TEST(PathGrowth, TopmostLeavesOutWhatHangsBelow) {
  const std::vector<PathGroup> groups = Shop(5, 1);
  EXPECT_THAT(Topmost(groups, {false, true, true, true}), ElementsAre(1, 3));
  EXPECT_THAT(Topmost(groups, {true, false, true, false}), ElementsAre(0));
  EXPECT_THAT(Topmost(groups, {false, false, true, false}), ElementsAre(2));
}

}  // namespace
}  // namespace cairn::session
