#include "viewer/analysis/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace cairn::analysis {
namespace {

struct Case {
  const char* name;
  uint64_t (*key)(uint64_t random);
};

// Keys of all the widths at which the sort goes another way: none, within 32 bits in a row, wider; and many equal ones.
constexpr Case kCases[] = {
    {"all equal", [](uint64_t) { return uint64_t{7}; }},
    {"one bit", [](uint64_t random) { return random & 1; }},
    {"the highest bit", [](uint64_t random) { return random & uint64_t{1} << 63; }},
    {"sizes of objects", [](uint64_t random) { return 24 + 8 * (random % 40); }},
    {"11 bits and one more", [](uint64_t random) { return random % 4096; }},
    {"32 bits", [](uint64_t random) { return random & 0xFFFFFFFF; }},
    {"32 bits far up", [](uint64_t random) { return (random & 0xFFFFFFFF) << 32 | 5; }},
    {"33 bits", [](uint64_t random) { return random & 0x1FFFFFFFF; }},
    {"64 bits", [](uint64_t random) { return random; }},
    {"both ends", [](uint64_t random) { return random % 3 == 0   ? ~uint64_t{0}
                                               : random % 3 == 1 ? 0
                                                                 : random; }},
};

TEST(RadixSort, GivesTheOrderOfAStableSortByComparison) {
  constexpr size_t kItems = 20'000;
  std::mt19937_64 random(1);
  for (const Case& each : kCases) {
    std::vector<uint32_t> items(kItems);
    std::iota(items.begin(), items.end(), 0u);
    std::shuffle(items.begin(), items.end(), random);
    std::vector<uint64_t> key_of(kItems), keys;
    for (uint64_t& key : key_of) key = each.key(random());
    for (const uint32_t item : items) keys.push_back(key_of[item]);
    for (const bool ascending : {true, false}) {
      std::vector<uint32_t> expected = items, sorted = items;
      std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) {
        return ascending ? key_of[a] < key_of[b] : key_of[a] > key_of[b];
      });
      ASSERT_TRUE(SortByKeys(keys, ascending, sorted, Work())) << each.name;
      EXPECT_EQ(sorted, expected) << each.name << (ascending ? ", ascending" : ", descending");
    }
  }
}

TEST(RadixSort, NothingAndOneAreSorted) {
  std::vector<uint32_t> items;
  EXPECT_TRUE(SortByKeys({}, true, items, Work()));
  EXPECT_TRUE(items.empty());
  items = {9};
  EXPECT_TRUE(SortByKeys({1}, false, items, Work()));
  EXPECT_EQ(items, std::vector<uint32_t>{9});
}

TEST(RadixSort, IsCancelled) {
  Work work;
  work.Cancel();
  std::vector<uint32_t> items = {0, 1};
  EXPECT_FALSE(SortByKeys({1, 2}, true, items, work));
}

}  // namespace
}  // namespace cairn::analysis
