#include "collector/types/type_name_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::collector {
namespace {

using Names = std::vector<std::string_view>;

struct Case {
  Names chain;
  Names arguments;
  const char* expected;
};

class ComposeTypeNameTest : public ::testing::TestWithParam<Case> {};

TEST_P(ComposeTypeNameTest, Composes) {
  EXPECT_EQ(ComposeTypeName(GetParam().chain, GetParam().arguments), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Names, ComposeTypeNameTest,
    ::testing::Values(Case{{"Shop.Order"}, {}, "Shop.Order"}, Case{{"Shop.Order", "Line"}, {}, "Shop.Order+Line"},
                      Case{{"Shop.Cache`2"}, {"System.String", "Shop.Order"}, "Shop.Cache<System.String, Shop.Order>"},
                      // arguments of the enclosing type stay with it
                      Case{{"Shop.Cache`2", "Entry"}, {"A", "B"}, "Shop.Cache<A, B>+Entry"},
                      Case{{"O`1", "I`2", "S`1"}, {"A", "B", "C", "D"}, "O<A>+I<B, C>+S<D>"},
                      Case{{"L`1"}, {"L<A>"}, "L<L<A>>"},
                      // definitions keep their suffix
                      Case{{"Shop.Cache`2", "Entry"}, {}, "Shop.Cache`2+Entry"},
                      // a name that says nothing of its arity, as obfuscators make them
                      Case{{"a"}, {"A"}, "a<A>"},
                      Case{{"Shop.<>c__DisplayClass0_0`1"}, {"A"}, "Shop.<>c__DisplayClass0_0<A>"}));

TEST(SplitArity, ReadsOnlyADecimalSuffix) {
  std::string_view stem;
  EXPECT_EQ(SplitArity("Cache`12", &stem), 12u);
  EXPECT_EQ(stem, "Cache");
  EXPECT_EQ(SplitArity("Odd`", &stem), 0u);
  EXPECT_EQ(SplitArity("Odd`x", &stem), 0u);
  EXPECT_EQ(SplitArity("Odd`99999999999", &stem), 0u);
  EXPECT_EQ(stem, "Odd`99999999999");
}

TEST(ComposeArrayName, PutsTheSuffixBehindTheElement) {
  EXPECT_EQ(ComposeArrayName("System.Int32", 1, false), "System.Int32[]");
  EXPECT_EQ(ComposeArrayName("System.Int32", 3, true), "System.Int32[,,]");
  EXPECT_EQ(ComposeArrayName("System.Int32", 1, true), "System.Int32[*]");
  EXPECT_EQ(ComposeArrayName("System.Int32[,]", 1, false), "System.Int32[,][]");
}

TEST(UnknownTypeName, ShowsTheId) { EXPECT_EQ(UnknownTypeName(0x7F12), "(unknown 0x7f12)"); }

}  // namespace
}  // namespace cairn::collector
