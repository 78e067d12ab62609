#include "snapshot-format/stream/slot_map.h"

#include <gtest/gtest.h>

#include <random>

namespace cairn::stream {
namespace {

// The slot of reference `n`, and how many references are missing.
std::pair<uint32_t, uint64_t> Find(const SlotMap& map, uint64_t n, uint32_t begin, uint32_t end) {
  const uint32_t slot = map.Find(n, begin, end);
  return {slot, n};
}

TEST(SlotMap, CountsOverNullsAndWords) {
  SlotMap map;
  map.Reset(1, 200);
  map.MarkNull(2, 5);     // 0, 1 and 5 to 63 are references: 61 of them
  map.MarkNull(64, 128);  // a whole word
  map.MarkNull(130, 199);
  EXPECT_EQ(Find(map, 1, 0, 200), std::pair(1u, uint64_t{0}));
  EXPECT_EQ(Find(map, 2, 0, 200), std::pair(5u, uint64_t{0}));
  EXPECT_EQ(Find(map, 60, 0, 200), std::pair(63u, uint64_t{0}));
  EXPECT_EQ(Find(map, 61, 0, 200), std::pair(128u, uint64_t{0}));
  EXPECT_EQ(Find(map, 63, 0, 200), std::pair(199u, uint64_t{0}));
  // 64 in all.
  EXPECT_EQ(Find(map, 66, 0, 200), std::pair(200u, uint64_t{2}));
}

TEST(SlotMap, LooksOnlyBetweenBeginAndEnd) {
  SlotMap map;
  map.Reset(1, 128);
  map.MarkNull(64, 65);
  EXPECT_EQ(Find(map, 0, 63, 66), std::pair(63u, uint64_t{0}));
  EXPECT_EQ(Find(map, 1, 63, 66), std::pair(65u, uint64_t{0}));
  EXPECT_EQ(Find(map, 2, 63, 66), std::pair(66u, uint64_t{0}));
  EXPECT_EQ(Find(map, 0, 64, 64), std::pair(64u, uint64_t{0}));
  EXPECT_EQ(Find(map, 0, 64, 65), std::pair(65u, uint64_t{0}));
}

TEST(SlotMap, IsNewAfterReset) {
  SlotMap map;
  map.Reset(3, 100);
  map.MarkNull(0, 100);
  map.Reset(5, 70);
  EXPECT_EQ(map.first_slot.size(), 6u);
  EXPECT_EQ(Find(map, 69, 0, 70), std::pair(69u, uint64_t{0}));
}

TEST(SlotMap, IsThatOfAPlainCount) {
  std::mt19937 random(20260102);
  for (int round = 0; round < 200; ++round) {
    SlotMap map;
    map.Reset(1, 300);
    std::vector<bool> filled(300, true);
    for (uint32_t i = 0; i < 20; ++i) {
      const auto begin = static_cast<uint32_t>(random() % 260), end = begin + static_cast<uint32_t>(random() % 40);
      map.MarkNull(begin, end);
      std::fill(filled.begin() + begin, filled.begin() + end, false);
    }
    const auto begin = static_cast<uint32_t>(random() % 300);
    const uint32_t end = begin + static_cast<uint32_t>(random() % (301 - begin));
    uint64_t n = 0;
    for (uint32_t slot = begin; slot < end; ++slot)
      if (filled[slot]) {
        ASSERT_EQ(Find(map, n++, begin, end), std::pair(slot, uint64_t{0}));
      }
    ASSERT_EQ(Find(map, n + 3, begin, end), std::pair(end, uint64_t{3}));
  }
}

}  // namespace
}  // namespace cairn::stream
