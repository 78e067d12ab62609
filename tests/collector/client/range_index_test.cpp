#include "collector/client/range_index.h"

#include <gtest/gtest.h>

namespace cairn::client {
namespace {

TEST(RangeIndex, KnowsBoundsExactly) {
  RangeIndex index({{0x1000, 0x100}, {0x2000, 0x10}});
  EXPECT_FALSE(index.Contains(0xFFF));
  EXPECT_TRUE(index.Contains(0x1000));
  EXPECT_TRUE(index.Contains(0x10FF));
  EXPECT_FALSE(index.Contains(0x1100));
  EXPECT_TRUE(index.Contains(0x200F));
  EXPECT_FALSE(index.Contains(0x2010));
}

TEST(RangeIndex, NeighboursInOneCacheCellDoNotHideEachOther) {
  // Both ranges, and the hole between them, lie in one 4 MiB region.
  RangeIndex index({{0x400000, 0x10}, {0x400020, 0x10}});
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(index.Contains(0x400008));
    EXPECT_TRUE(index.Contains(0x400028));
    EXPECT_FALSE(index.Contains(0x400018));
  }
}

TEST(RangeIndex, EmptyHeapAndHighAddresses) {
  RangeIndex nothing({});
  EXPECT_FALSE(nothing.Contains(0));
  EXPECT_FALSE(nothing.Contains(0x10000));
  RangeIndex high({{0xFFFFFFFFFFFF0000, 0xFFFF}});
  EXPECT_TRUE(high.Contains(0xFFFFFFFFFFFFFFFE));
  EXPECT_FALSE(high.Contains(0xFFFFFFFFFFFFFFFF));
}

}  // namespace
}  // namespace cairn::client
