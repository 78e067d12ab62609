#include "collector/protocol/method_pattern.h"

#include <gtest/gtest.h>

namespace cairn::protocol {
namespace {

TEST(MethodPattern, MatchesWholeNames) {
  EXPECT_TRUE(MatchesMethodPattern("Shop.Order.Save", "Shop.Order.Save"));
  EXPECT_FALSE(MatchesMethodPattern("Shop.Order.Save", "Shop.Order.SaveAll"));
  EXPECT_FALSE(MatchesMethodPattern("Order.Save", "Shop.Order.Save"));
}

TEST(MethodPattern, StarsAndQuestionMarks) {
  EXPECT_TRUE(MatchesMethodPattern("Shop.Order*.Save*", "Shop.OrderBook.SaveAll"));
  EXPECT_TRUE(MatchesMethodPattern("Shop.Order*.Save*", "Shop.Order+Line.Save"));
  EXPECT_FALSE(MatchesMethodPattern("Shop.Order*.Save*", "Shop.Customer.Save"));
  EXPECT_TRUE(MatchesMethodPattern("*.MoveNext", "Shop.Order+<Save>d__3.MoveNext"));
  EXPECT_TRUE(MatchesMethodPattern("A.??", "A.ab"));
  EXPECT_FALSE(MatchesMethodPattern("A.??", "A.abc"));
  EXPECT_TRUE(MatchesMethodPattern("A.?", "A.\xC3\xA4"));  // one character, two bytes
  EXPECT_TRUE(MatchesMethodPattern("*a*b*", "xxaxxbxxbx"));
  EXPECT_FALSE(MatchesMethodPattern("*a*b*c", "xxaxxbxxbx"));
}

TEST(MethodPattern, HasASentenceForEveryMistake) {
  for (const char* bad : {"", "Save", "Shop.", ".Save", "*.*", "?*.", "Shop.Order Save", "Shop.Order.Save(int)"}) {
    EXPECT_NE(FaultOfMethodPattern(bad), nullptr) << bad;
  }
  for (const char* good : {"Shop.Order.Save", "*.Save", "Shop.*.*", "Shop.Order..ctor", "A+<M>d__1.MoveNext"}) {
    EXPECT_EQ(FaultOfMethodPattern(good), nullptr) << good;
  }
  EXPECT_NE(FaultOfMethodPattern(std::string(513, 'a') + ".b"), nullptr);
}

}  // namespace
}  // namespace cairn::protocol
