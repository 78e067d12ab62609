#include "snapshot-format/file/model.h"

#include <gtest/gtest.h>

namespace cairn::snapshot {
namespace {

TEST(ModelTest, NamesAreThoseOfTheContract) {
  EXPECT_STREQ(GenerationName(Generation::kGen0), "gen0");
  EXPECT_STREQ(GenerationName(Generation::kPoh), "poh");
  EXPECT_STREQ(GenerationName(Generation::kFrozen), "frozen");
  EXPECT_STREQ(GenerationName(static_cast<Generation>(6)), "unknown");
  EXPECT_STREQ(RootKindName(RootKind::kStatic), "static");
  EXPECT_STREQ(RootKindName(RootKind::kHandleRefcounted), "handle-refcounted");
  EXPECT_STREQ(RootKindName(RootKind::kHandleWeak), "handle-weak");
  EXPECT_STREQ(RootKindName(static_cast<RootKind>(10)), "unknown");
}

TEST(ModelTest, TotalsByGenerationAddUpRanges) {
  const std::vector<Range> ranges = {
      {.generation = Generation::kGen2, .objects = 1, .bytes = 5'000'000'000, .free_objects = 2, .free_bytes = 7},
      {.generation = Generation::kLoh, .objects = 9, .bytes = 1},
      {.generation = Generation::kGen2, .objects = 3, .bytes = 5'000'000'000, .free_objects = 4, .free_bytes = 8},
  };
  const std::vector<GenerationTotals> totals = TotalsByGeneration(ranges);
  ASSERT_EQ(totals.size(), 6u);
  EXPECT_EQ(totals[2].objects, 4u);
  EXPECT_EQ(totals[2].bytes, 10'000'000'000u);  // beyond 32 bits
  EXPECT_EQ(totals[2].free_objects, 6u);
  EXPECT_EQ(totals[2].free_bytes, 15u);
  EXPECT_EQ(totals[2].ranges, 2u);
  EXPECT_EQ(totals[3].objects, 9u);
  EXPECT_EQ(totals[0].ranges, 0u);
}

}  // namespace
}  // namespace cairn::snapshot
