#include "collector/capture/chunk_packer.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <memory>
#include <string>

#include "collector/protocol/messages.h"
#include "snapshot-format/stream/chunk_encoder.h"
#include "snapshot-format/stream/records.h"

namespace cairn::collector {
namespace {

using stream::ChunkEncoder;
using stream::ColumnKind;

WalkedType TypeOf(uint64_t objects, bool is_free = false) {
  WalkedType type;
  type.objects = objects;
  type.is_free = is_free;
  return type;
}

TEST(TypeRankingTest, MostObjectsFirstAndFreeNowhere) {
  const WalkedType types[] = {TypeOf(5), TypeOf(100, true), TypeOf(9), TypeOf(0), TypeOf(5)};
  const TypeRanking ranking(types);
  EXPECT_EQ(ranking.Order(), (std::vector<uint32_t>{2, 0, 4}));  // 9, 5, 5 in the walker's order
  EXPECT_EQ(ranking.Rank(2), 0u);
  EXPECT_EQ(ranking.Rank(4), 2u);
  EXPECT_EQ(ranking.Rank(1), TypeRanking::kNone) << "Free";
  EXPECT_EQ(ranking.Rank(3), TypeRanking::kNone) << "no objects";
  EXPECT_EQ(ranking.Rank(5), TypeRanking::kNone) << "unknown";
  EXPECT_EQ(ranking.Rank(~uint64_t{0}), TypeRanking::kNone);
}

// One chunk with objects of the given walker types, all of 24 bytes and one slot to themselves.
class ChunkPackerTest : public ::testing::Test {
 protected:
  ChunkPackerTest() {
    uint8_t* raw[stream::kColumnCount];
    for (size_t i = 0; i < stream::kColumnCount; ++i) {
      buffers_[i] = std::make_unique<uint8_t[]>(ChunkEncoder::kCapacity[i]);
      raw[i] = buffers_[i].get();
    }
    encoder_ = std::make_unique<ChunkEncoder>(raw, 3);
  }
  SpoolBlock Encode(const std::vector<uint32_t>& types) {
    encoder_->Begin(7, 3);
    uint64_t address = 0x1000;
    for (const uint32_t type : types) {
      uint64_t last = 0;
      encoder_->Object(type, address, address + 24);
      encoder_->Reference(address, address, last);
      address += 24;
    }
    encoder_->End();
    SpoolBlock block;
    block.header = encoder_->Header();
    for (const ColumnKind kind : stream::kAllColumns) {
      block.column[ColumnSlot(kind)] = encoder_->Column(kind);
      block.column_size[ColumnSlot(kind)] = static_cast<uint32_t>(encoder_->ColumnSize(kind));
    }
    return block;
  }

  std::unique_ptr<uint8_t[]> buffers_[stream::kColumnCount];
  std::unique_ptr<ChunkEncoder> encoder_;
};

std::vector<uint8_t> Unpack(const std::vector<uint8_t>& payload, size_t* at, const protocol::ChunkColumn& column) {
  std::vector<uint8_t> raw(column.raw_size);
  EXPECT_EQ(ZSTD_decompress(raw.data(), raw.size(), payload.data() + *at, column.compressed_size), raw.size());
  *at += column.compressed_size;
  return raw;
}

TEST_F(ChunkPackerTest, RanksTypesAndKeepsTheRest) {
  // Walker ids 0, 1 (Free), 2; type 2 is the commonest, so ranks are 1, none, 0.
  const WalkedType types[] = {TypeOf(1), TypeOf(9, true), TypeOf(2)};
  const TypeRanking ranking(types);
  ChunkPacker packer(ranking.Ranks());
  const std::vector<uint8_t>* payload = packer.Pack(Encode({2, 0, 2}));
  ASSERT_NE(payload, nullptr);

  stream::RecordReader reader(*payload);
  protocol::Chunk chunk;
  reader(chunk);
  ASSERT_TRUE(reader.Ok());
  EXPECT_EQ(chunk.range, 7u);
  EXPECT_EQ(chunk.sequence, 3u);
  EXPECT_EQ(chunk.first_address, 0x1000u);
  EXPECT_EQ(chunk.end_address, 0x1048u);  // 3 * 24 = 0x48
  EXPECT_EQ(chunk.object_count, 3u);
  EXPECT_EQ(chunk.slot_count, 3u);
  ASSERT_EQ(chunk.columns.size(), stream::kColumnCount);

  size_t stored = 0;
  for (const auto& column : chunk.columns) stored += column.compressed_size;
  size_t at = payload->size() - stored;
  EXPECT_EQ(Unpack(*payload, &at, chunk.columns[0]), (std::vector<uint8_t>{0, 1, 0}));
  EXPECT_EQ(chunk.columns[1].raw_size, 0u);  // no lengths
  EXPECT_EQ(chunk.columns[1].compressed_size, 0u);
  EXPECT_EQ(chunk.columns[2].raw_size, 0u);  // no gaps
  EXPECT_EQ(Unpack(*payload, &at, chunk.columns[3]).size(), 3u);
  EXPECT_EQ(at, payload->size());
}

TEST_F(ChunkPackerTest, LongIdsGetTheirBytes) {
  std::vector<WalkedType> types(300, TypeOf(1));
  const TypeRanking ranking(types);
  ChunkPacker packer(ranking.Ranks());
  const std::vector<uint8_t>* payload = packer.Pack(Encode({299, 0}));
  ASSERT_NE(payload, nullptr);
  stream::RecordReader reader(*payload);
  protocol::Chunk chunk;
  reader(chunk);
  EXPECT_EQ(chunk.columns[0].raw_size, 3u);  // 299 takes two bytes
}

TEST_F(ChunkPackerTest, TheContinuedTypeIsRankedToo) {
  const WalkedType types[] = {TypeOf(1), TypeOf(2)};
  const TypeRanking ranking(types);
  SpoolBlock block = Encode({1});
  block.header.continued_object = 0x800;
  block.header.continued_type = 0;
  ChunkPacker packer(ranking.Ranks());
  const std::vector<uint8_t>* payload = packer.Pack(block);
  ASSERT_NE(payload, nullptr);
  stream::RecordReader reader(*payload);
  protocol::Chunk chunk;
  reader(chunk);
  EXPECT_EQ(chunk.continued_type, 1u);
}

TEST_F(ChunkPackerTest, RefusesATypeWithoutRank) {
  const WalkedType types[] = {TypeOf(1), TypeOf(9, true)};
  const TypeRanking ranking(types);
  ChunkPacker packer(ranking.Ranks());
  EXPECT_EQ(packer.Pack(Encode({0, 1})), nullptr) << "a Free object in the column";
  EXPECT_EQ(packer.Pack(Encode({2})), nullptr) << "an unknown type";
  SpoolBlock cut = Encode({0, 0});
  cut.column_size[0] = 1;
  EXPECT_EQ(packer.Pack(cut), nullptr) << "fewer ids than objects";
}

}  // namespace
}  // namespace cairn::collector
