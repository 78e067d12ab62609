#include "viewer/presentation/type_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::presentation {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::string> kNames = {
    "Shop.Order",    "Shop.OrderLine",        "Shop.Order[]", "Shop.Cache<System.String, Shop.Order>+Entry[]",
    "System.String", "<>c__DisplayClass12_0",
};

std::vector<std::string> Selected(const std::string& pattern) {
  const std::vector<bool> selected = TypePattern::Parse(pattern).value().Select(kNames);
  std::vector<std::string> names;
  for (size_t i = 0; i < kNames.size(); ++i)
    if (selected[i]) names.push_back(kNames[i]);
  return names;
}

TEST(TypePattern, ExactNameExcludesLongerOnes) {
  EXPECT_THAT(Selected("Shop.Order"), ElementsAre("Shop.Order"));
  EXPECT_THAT(Selected("Shop.Order[]"), ElementsAre("Shop.Order[]"));
}

TEST(TypePattern, PartIgnoresCase) {
  EXPECT_THAT(Selected("orderline"), ElementsAre("Shop.OrderLine"));
  EXPECT_THAT(Selected("shop.order"), ElementsAre("Shop.Order", "Shop.OrderLine", "Shop.Order[]",
                                                  "Shop.Cache<System.String, Shop.Order>+Entry[]"));
  EXPECT_THAT(Selected("nothing like it"), IsEmpty());
}

TEST(TypePattern, GlobCoversTheWholeName) {
  EXPECT_THAT(Selected("Shop.Order?"), IsEmpty());
  EXPECT_THAT(Selected("Shop.Order??"), ElementsAre("Shop.Order[]"));
  EXPECT_THAT(Selected("Shop.*[]"), ElementsAre("Shop.Order[]", "Shop.Cache<System.String, Shop.Order>+Entry[]"));
  EXPECT_THAT(Selected("*String"), ElementsAre("System.String"));
  EXPECT_THAT(Selected("shop.*"), IsEmpty());  // a glob is exact about case
  EXPECT_EQ(Selected("*").size(), kNames.size());
}

TEST(TypePattern, RegularExpressionIsFoundAnywhere) {
  EXPECT_THAT(Selected("/Order$/"), ElementsAre("Shop.Order"));
  EXPECT_THAT(Selected(R"(/DisplayClass\d+_\d/)"), ElementsAre("<>c__DisplayClass12_0"));
  EXPECT_THAT(Selected(R"(/^Shop\.(Order|Cache)\b/)"),
              ElementsAre("Shop.Order", "Shop.Order[]", "Shop.Cache<System.String, Shop.Order>+Entry[]"));
}

TEST(TypePattern, RefusesWhatMeansNothing) {
  EXPECT_EQ(TypePattern::Parse("").error().code, "usage.empty_pattern");
  EXPECT_EQ(TypePattern::Parse("//").error().code, "usage.empty_pattern");
  EXPECT_EQ(TypePattern::Parse("/(/").error().code, "usage.bad_pattern");
  EXPECT_EQ(TypePattern::Parse("/[/").error().kind, ErrorKind::kUsage);
}

TEST(TypePattern, SingleSlashIsAPart) {
  EXPECT_TRUE(TypePattern::Parse("/").value().Select(std::vector<std::string>{"a/b"})[0]);
}

TEST(TypePattern, LongNamesNeitherOverflowNorStall) {
  const std::vector<std::string> names = {std::string(1 << 20, 'a')};
  EXPECT_TRUE(TypePattern::Parse("/a+$/").value().Select(names)[0]);
  EXPECT_TRUE(TypePattern::Parse("/(a|b)*/").value().Select(names)[0]);
  EXPECT_FALSE(TypePattern::Parse("*b").value().Select(names)[0]);
  EXPECT_FALSE(TypePattern::Parse("b").value().Select(names)[0]);
}

TEST(NamespaceOf, TakesTheOuterType) {
  EXPECT_EQ(NamespaceOf("Shop.Order"), "Shop");
  EXPECT_EQ(NamespaceOf("Shop.Web.Order+Line"), "Shop.Web");
  EXPECT_EQ(NamespaceOf("System.Collections.Generic.Dictionary<System.String, Shop.Order>+Entry[]"),
            "System.Collections.Generic");
  EXPECT_EQ(NamespaceOf("System.Byte[,]"), "System");
  EXPECT_EQ(NamespaceOf("System.Byte*"), "System");
  EXPECT_EQ(NamespaceOf("Global"), "");
  EXPECT_EQ(NamespaceOf("<>f__AnonymousType0<System.Int32>"), "");
  EXPECT_EQ(NamespaceOf(""), "");
}

TEST(TypePattern, RefusesExpressionsThatCouldTakeForEver) {
  const auto code = [](const std::string& text) { return TypePattern::Parse(text).error().code; };
  EXPECT_EQ(code("/(.*)(.*)\\1\\2Q$/"), "usage.costly_pattern");
  EXPECT_EQ(code("/(x{1,1000}){1,1000}/"), "usage.costly_pattern");
  EXPECT_EQ(code("/x{2}{2}{2}{2}/"), "usage.costly_pattern");
  EXPECT_EQ(code("/" + std::string(51, '(') + "a" + std::string(51, ')') + "/"), "usage.costly_pattern");
  EXPECT_EQ(code("/" + std::string(1001, 'a') + "/"), "usage.costly_pattern");
  EXPECT_TRUE(TypePattern::Parse("/a{2}1234/"));
  EXPECT_TRUE(TypePattern::Parse("/^Shop\\.Order[0-9]{2,12}$/"));
}

}  // namespace
}  // namespace cairn::presentation
