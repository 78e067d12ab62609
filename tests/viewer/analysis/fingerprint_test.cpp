#include "viewer/analysis/fingerprint.h"

#include <gtest/gtest.h>

namespace cairn::analysis {
namespace {

TEST(WithoutOrdinals, DropsWhatCompilersNumber) {
  const std::pair<const char*, const char*> cases[] = {
      {"Shop.Order", "Shop.Order"},
      {"Shop.Job+<>c__DisplayClass12_0", "Shop.Job+<>c__DisplayClass"},
      {"Shop.Job+<Run>d__5", "Shop.Job+<Run>d__"},
      {"Shop.Job+<Run>d__5<System.Int32>", "Shop.Job+<Run>d__<System.Int32>"},
      {"<Main>b__0_1", "<Main>b__"},
      {"<>9__3_0", "<>9__"},
      {"<Run>g__Add2|5_0", "<Run>g__Add2"},
      {"<order>5__2", "<order>5__"},
      {"<>1__state", "<>1__state"},
      {"<Instances>k__BackingField", "<Instances>k__BackingField"},
      {"<>f__AnonymousType3<System.String>", "<>f__AnonymousType<System.String>"},
      {"Shop.Job+<>c", "Shop.Job+<>c"},
      {"Shop.Cache<Shop.Key2>+Entry_1[]", "Shop.Cache<Shop.Key2>+Entry_1[]"},
      {"Shop.Pair<Shop.A1>__2", "Shop.Pair<Shop.A1>__2"},
      {">", ">"},
      {"", ""}};
  for (const auto& [name, stable] : cases) EXPECT_EQ(WithoutOrdinals(name), stable);
}

TEST(WithoutIndex, KeepsTheField) {
  EXPECT_EQ(WithoutIndex("[5].value"), "[].value");
  EXPECT_EQ(WithoutIndex("[123]"), "[]");
  EXPECT_EQ(WithoutIndex("_map"), "_map");
  EXPECT_EQ(WithoutIndex("[open"), "[open");
}

}  // namespace
}  // namespace cairn::analysis
