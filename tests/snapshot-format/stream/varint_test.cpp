#include "snapshot-format/stream/varint.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace cairn::stream {
namespace {

std::vector<uint8_t> Encode(uint64_t value) {
  uint8_t bytes[kMaxVarintBytes];
  return std::vector<uint8_t>(bytes, PutVarint(bytes, value));
}

TEST(VarintTest, HasTheStatedBytes) {
  EXPECT_EQ(Encode(0), (std::vector<uint8_t>{0x00}));
  EXPECT_EQ(Encode(127), (std::vector<uint8_t>{0x7F}));
  EXPECT_EQ(Encode(128), (std::vector<uint8_t>{0x80, 0x01}));
  EXPECT_EQ(Encode(300), (std::vector<uint8_t>{0xAC, 0x02}));  // 300 = 2 × 128 + 44
  EXPECT_EQ(Encode(~0ull).size(), 10u);
  EXPECT_EQ(Encode(~0ull).back(), 0x01);
}

TEST(VarintTest, RoundTripsAtEveryBoundary) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    for (const uint64_t value : {(uint64_t{1} << bit) - 1, uint64_t{1} << bit, (uint64_t{1} << bit) + 1}) {
      const std::vector<uint8_t> bytes = Encode(value);
      uint64_t read = 1;
      EXPECT_EQ(GetVarint(bytes.data(), bytes.data() + bytes.size(), &read), bytes.data() + bytes.size());
      EXPECT_EQ(read, value);
    }
  }
}

TEST(VarintTest, FastWritersWriteTheSameBytes) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    for (const uint64_t value :
         {(uint64_t{1} << bit) - 1, uint64_t{1} << bit, (uint64_t{1} << bit) + 1, ~uint64_t{0} >> bit,
          uint64_t{0x5555555555555555} >> bit, uint64_t{0xAAAAAAAAAAAAAAAA} >> bit}) {
      uint8_t bytes[kMaxVarintBytes + 8] = {};
      EXPECT_EQ(std::vector<uint8_t>(bytes, PutVarintFast(bytes, value)), Encode(value)) << value;
      if (value >= 1u << 28) continue;
      const ShortVarint made = MakeShortVarint(static_cast<uint32_t>(value));
      EXPECT_EQ(std::vector<uint8_t>(bytes, PutVarint(bytes, made)), Encode(value)) << value;
    }
  }
}

TEST(VarintTest, FastWriterStaysWithinItsRoom) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    uint8_t bytes[kMaxVarintBytes + 1];
    bytes[kMaxVarintBytes] = 0xCC;
    PutVarintFast(bytes, uint64_t{1} << bit);
    EXPECT_EQ(bytes[kMaxVarintBytes], 0xCC) << bit;
  }
}

TEST(VarintTest, RefusesWhatEndsTooEarly) {
  for (const uint64_t value : {uint64_t{128}, uint64_t{1} << 40, ~uint64_t{0}}) {
    const std::vector<uint8_t> bytes = Encode(value);
    for (size_t cut = 0; cut < bytes.size(); ++cut) {
      uint64_t read = 0;
      EXPECT_EQ(GetVarint(bytes.data(), bytes.data() + cut, &read), nullptr) << value << " cut at " << cut;
    }
  }
}

TEST(VarintTest, RefusesMoreThan64Bits) {
  const std::vector<uint8_t> eleven(11, 0x80);
  std::vector<uint8_t> too_large(10, 0x80);
  too_large.back() = 0x02;  // bit 64
  uint64_t read = 0;
  EXPECT_EQ(GetVarint(eleven.data(), eleven.data() + eleven.size(), &read), nullptr);
  EXPECT_EQ(GetVarint(too_large.data(), too_large.data() + too_large.size(), &read), nullptr);
}

TEST(VarintTest, ZigZagMapsSmallMagnitudesToSmallValues) {
  EXPECT_EQ(ZigZag(0), 0u);
  EXPECT_EQ(ZigZag(-1), 1u);
  EXPECT_EQ(ZigZag(1), 2u);
  EXPECT_EQ(ZigZag(-2), 3u);
  for (const int64_t value :
       {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), int64_t{-12345}}) {
    EXPECT_EQ(UnZigZag(ZigZag(value)), value);
  }
}

}  // namespace
}  // namespace cairn::stream
