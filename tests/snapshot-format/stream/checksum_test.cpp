#include "snapshot-format/stream/checksum.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace cairn::stream {
namespace {

// Bit by bit, straight from the definition.
uint32_t SlowCrc32c(const std::vector<uint8_t>& bytes) {
  uint32_t crc = ~0u;
  for (const uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? 0x82F63B78u : 0u);
  }
  return ~crc;
}

TEST(ChecksumTest, MatchesPublishedValues) {
  EXPECT_EQ(Crc32c(0, "123456789", 9), 0xE3069283u);
  // RFC 3720, B.4: 32 bytes of zeroes, of ones, ascending.
  EXPECT_EQ(Crc32c(0, std::string(32, '\0').data(), 32), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(0, std::string(32, '\xFF').data(), 32), 0x62A8AB43u);
  std::vector<uint8_t> ascending(32);
  std::iota(ascending.begin(), ascending.end(), uint8_t{0});
  EXPECT_EQ(Crc32c(0, ascending.data(), 32), 0x46DD794Eu);
  EXPECT_EQ(Crc32c(0, "", 0), 0u);
}

TEST(ChecksumTest, EveryLengthAndEverySplitAgreeWithTheDefinition) {
  std::vector<uint8_t> bytes;
  for (unsigned size = 0; size < 67; ++size) {
    const uint32_t whole = Crc32c(0, bytes.data(), bytes.size());
    ASSERT_EQ(whole, SlowCrc32c(bytes)) << size;
    for (size_t cut = 0; cut <= bytes.size(); ++cut) {
      const uint32_t first = Crc32c(0, bytes.data(), cut);
      ASSERT_EQ(Crc32c(first, bytes.data() + cut, bytes.size() - cut), whole);
    }
    bytes.push_back(static_cast<uint8_t>(size * 37 + 11));
  }
}

TEST(ChecksumTest, FindsEveryFlippedBit) {
  std::vector<uint8_t> bytes(100, 0x5A);
  const uint32_t before = Crc32c(0, bytes.data(), bytes.size());
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1 << (bit % 8));
    EXPECT_NE(Crc32c(0, bytes.data(), bytes.size()), before) << bit;
    bytes[bit / 8] ^= static_cast<uint8_t>(1 << (bit % 8));
  }
}

}  // namespace
}  // namespace cairn::stream
