#include "snapshot-format/file/compression.h"

#include <gtest/gtest.h>

#include <random>

#include "snapshot-format/file/snapshot_writer.h"

namespace cairn::snapshot {
namespace {

std::vector<uint8_t> Random(size_t size, unsigned values) {
  std::mt19937 random(static_cast<unsigned>(size));
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() % values);
  return bytes;
}

TEST(CompressionTest, EverySizeAndLevelComesBack) {
  Decompressor decompressor;
  for (const size_t size : {size_t{0}, size_t{1}, size_t{100}, size_t{65536}, size_t{4'000'000}}) {
    for (const int level : {1, 3}) {
      const std::vector<uint8_t> raw = Random(size, 7);
      const auto frame = CompressColumn(raw, level);
      ASSERT_TRUE(frame);
      std::vector<uint8_t> back(size);
      EXPECT_EQ(decompressor.Decompress(*frame, back), "");
      EXPECT_EQ(back, raw);
    }
  }
}

TEST(CompressionTest, WhatCannotBeCompressedComesBackToo) {
  const std::vector<uint8_t> raw = Random(200000, 256);
  std::vector<uint8_t> back(raw.size());
  EXPECT_EQ(Decompressor().Decompress(*CompressColumn(raw), back), "");
  EXPECT_EQ(back, raw);
}

TEST(CompressionTest, EveryCutIsRefused) {
  const std::vector<uint8_t> raw = Random(300, 5);
  const std::vector<uint8_t> frame = *CompressColumn(raw);
  Decompressor decompressor;
  std::vector<uint8_t> back(raw.size());
  for (size_t cut = 0; cut < frame.size(); ++cut) {
    EXPECT_NE(decompressor.Decompress(std::span(frame).first(cut), back), "") << cut;
  }
  EXPECT_EQ(decompressor.Decompress(frame, back), "");  // as good as new after the errors
}

TEST(CompressionTest, DamageNeverWritesOutsideTheBuffer) {
  const std::vector<uint8_t> raw = Random(300, 5);
  const std::vector<uint8_t> frame = *CompressColumn(raw);
  Decompressor decompressor;
  for (size_t bit = 0; bit < frame.size() * 8; ++bit) {
    std::vector<uint8_t> damaged = frame;
    damaged[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    std::vector<uint8_t> back(raw.size() + 1, 0xCC);
    (void)decompressor.Decompress(damaged, std::span(back).first(raw.size()));
    EXPECT_EQ(back.back(), 0xCC);
  }
}

}  // namespace
}  // namespace cairn::snapshot
