#include "snapshot-format/file/object_bitmap.h"

#include <gtest/gtest.h>

namespace cairn::snapshot {
namespace {

TEST(ObjectBitmapTest, KnowsStartsAndNothingElse) {
  const std::vector<Range> ranges = {{.start = 0x1000, .length = 0x100}, {.start = 0x2000, .length = 0x100}};
  ObjectBitmap bitmap(ranges, 3);
  bitmap.Add(0, 0x1000);
  bitmap.Add(0, 0x10F8);
  bitmap.Add(1, 0x2008);
  for (uint64_t address = 0xF00; address < 0x2200; ++address) {
    const bool expected = address == 0x1000 || address == 0x10F8 || address == 0x2008;
    EXPECT_EQ(bitmap.IsObject(address), expected) << address;
  }
}

TEST(ObjectBitmapTest, KnowsTheRanges) {
  const std::vector<Range> ranges = {
      {.start = 0x1000, .length = 0x100}, {.start = 0x1100, .length = 0}, {.start = 0x2000, .length = 8}};
  const ObjectBitmap bitmap(ranges, 3);
  EXPECT_FALSE(bitmap.IsInHeap(0));
  EXPECT_FALSE(bitmap.IsInHeap(0xFFF));
  EXPECT_TRUE(bitmap.IsInHeap(0x1000));
  EXPECT_TRUE(bitmap.IsInHeap(0x10FF));
  EXPECT_FALSE(bitmap.IsInHeap(0x1100));
  EXPECT_TRUE(bitmap.IsInHeap(0x2007));
  EXPECT_FALSE(bitmap.IsInHeap(0x2008));
  EXPECT_FALSE(bitmap.IsInHeap(~0ull));
}

TEST(ObjectBitmapTest, FourByteUnits) {
  const std::vector<Range> ranges = {{.start = 0x1000, .length = 0x100}};
  ObjectBitmap bitmap(ranges, 2);
  bitmap.Add(0, 0x1004);
  EXPECT_TRUE(bitmap.IsObject(0x1004));
  EXPECT_FALSE(bitmap.IsObject(0x1000));
  EXPECT_FALSE(bitmap.IsObject(0x1006));
}

TEST(ObjectBitmapTest, HugeRangeCostsLittle) {
  const std::vector<Range> ranges = {{.start = 0x1000, .length = 1ull << 40}};
  ObjectBitmap bitmap(ranges, 3);
  bitmap.Add(0, 0x1000 + (1ull << 39));
  EXPECT_TRUE(bitmap.IsObject(0x1000 + (1ull << 39)));
  EXPECT_FALSE(bitmap.IsObject(0x1000 + (1ull << 38)));
}

TEST(ObjectBitmapTest, NoRangesHoldNothing) {
  const std::vector<Range> none;
  const ObjectBitmap bitmap(none, 3);
  EXPECT_FALSE(bitmap.IsObject(0));
  EXPECT_FALSE(bitmap.IsInHeap(0x1000));
}

}  // namespace
}  // namespace cairn::snapshot
