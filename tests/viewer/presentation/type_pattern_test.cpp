#include "viewer/presentation/type_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::presentation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
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

// Each took the matcher of the C library for ever, or its compiler all memory.
TEST(TypePattern, NoExpressionIsSlow) {
  const std::vector<std::string> names = {std::string(100'000, 'a')};
  const auto matches = [&](const std::string& text) -> bool { return TypePattern::Parse(text).value().Select(names)[0]; };
  EXPECT_FALSE(matches("/(a*)*(a*)*(.*.*.*.*.*)*$x/"));
  EXPECT_FALSE(matches("/(a|aa)+$b/"));
  EXPECT_FALSE(matches("/^(((a*)*)*)*b$/"));
  EXPECT_TRUE(matches("/^(((a*)*)*)*$/"));
  EXPECT_TRUE(matches("/a{2}/"));
  EXPECT_FALSE(matches("/^Shop\\.Order[0-9]{2,12}$/"));
}

TEST(TypePattern, SaysWhereAnExpressionIsWrong) {
  const auto message = [](const std::string& text) { return TypePattern::Parse(text).error().message; };
  EXPECT_THAT(message("/Order(a[)]/"), HasSubstr(", at character 7: missing )"));
  EXPECT_THAT(message("/a)b/"), HasSubstr(", at character 3: "));
  EXPECT_THAT(message("/ab[z-a]/"), HasSubstr(", at character 5: invalid character class range: z-a"));
  EXPECT_THAT(message("/(.*)\\1Q/"), HasSubstr(", at character 6: invalid escape sequence: \\1"));
  EXPECT_THAT(message("/(?=x)/"), HasSubstr(", at character "));
  EXPECT_THAT(message("/*a/"), HasSubstr(", at character 2: no argument for repetition operator: *"));
  EXPECT_THAT(message("/(x{1,1000}){1,1000}/"), HasSubstr("repetition size"));
  EXPECT_THAT(message("/((.{200}){4}|(.[^a]{99}){9}){1}(\\pL{99}){9}/"), HasSubstr("too large"));
  EXPECT_THAT(message("/" + std::string(1001, 'a') + "/"), HasSubstr("longer than 1,000 characters"));
}

}  // namespace
}  // namespace cairn::presentation
