#include "collector/contents/content_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "collector/contents/content_salt.h"

namespace cairn::collector {
namespace {

uint64_t Hash(const std::vector<uint8_t>& bytes, ContentSalt salt = {1, 2}) {
  return ContentHash(bytes.data(), bytes.size(), salt);
}

TEST(ContentHash, EveryLengthAndEveryByteCounts) {
  std::set<uint64_t> seen;
  size_t hashed = 0;
  for (size_t size = 0; size <= 130; ++size) {
    std::vector<uint8_t> bytes(size, 0);
    seen.insert(Hash(bytes));
    ++hashed;
    for (size_t i = 0; i < size; ++i) {
      bytes[i] = 0x55;
      seen.insert(Hash(bytes));
      ++hashed;
      bytes[i] = 0;
    }
  }
  EXPECT_EQ(hashed, 131u + 130 * 131 / 2);
  EXPECT_EQ(seen.size(), hashed);
  EXPECT_FALSE(seen.contains(0));
}

TEST(ContentHash, NeitherAlignmentNorWhatFollowsCounts) {
  for (const size_t size : {0u, 1u, 3u, 4u, 7u, 8u, 15u, 16u, 17u, 31u, 32u, 33u, 64u, 100u}) {
    std::vector<uint8_t> room(size + 16, 0xEE);
    uint64_t first = 0;
    for (size_t shift = 0; shift < 8; ++shift) {
      for (size_t i = 0; i < size; ++i) room[shift + i] = static_cast<uint8_t>(i * 7);
      const uint64_t hash = ContentHash(room.data() + shift, size, {3, 4});
      if (shift == 0) first = hash;
      EXPECT_EQ(hash, first) << size << " bytes, " << shift << " further";
      std::fill(room.begin(), room.end(), static_cast<uint8_t>(shift));
    }
  }
}

TEST(ContentHash, EachHalfOfTheSaltCounts) {
  const std::vector<uint8_t> word = {'l', 0, 'e', 0, 'a', 0, 'k', 0};
  EXPECT_NE(Hash(word, {1, 2}), Hash(word, {1, 3}));
  EXPECT_NE(Hash(word, {1, 2}), Hash(word, {5, 2}));
  EXPECT_EQ(Hash(word, {1, 2}), Hash(word, {1, 2}));
}

// (2^64 - 1)^2 = 2^128 - 2^65 + 1: the high half is 2^64 - 2, the low half 1.
TEST(ContentHash, TheProductIsTheSameWithoutWideProcessors) {
  using content_hash::Mix, content_hash::MixByHalves;
  EXPECT_EQ(MixByHalves(~uint64_t{0}, ~uint64_t{0}), (~uint64_t{0} - 1) ^ 1);
  uint64_t a = content_hash::kOdd1, b = content_hash::kOdd2;
  for (int i = 0; i < 10000; ++i, a = a * 3 + 1, b = b * 5 + 7)
    ASSERT_EQ(MixByHalves(a, b), Mix(a, b)) << a << " " << b;
}

TEST(ContentSalt, IsTheSameForTheWholeProcess) {
  ContentSalt first, second;
  ASSERT_TRUE(ReadContentSalt(&first));
  ASSERT_TRUE(ReadContentSalt(&second));
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
  EXPECT_NE(first.low, first.high);
  EXPECT_EQ(ContentSaltId().size(), 16u);
  EXPECT_EQ(ContentSaltId(), ContentSaltId());
}

}  // namespace
}  // namespace cairn::collector
