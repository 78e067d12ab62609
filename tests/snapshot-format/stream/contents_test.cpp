// Contents: what the encoder writes is what the decoder reads, and a hostile column is told.

#include "snapshot-format/stream/contents_decoder.h"
#include "tests/snapshot-format/stream/chunk_cases.h"

namespace cairn::stream {
namespace {

class ContentsTest : public ::testing::Test {
 protected:
  // Type 0 keeps two values, type 1 a hash and a text, type 2 nothing.
  ContentsTest() {
    heap_.types = {{.base_size = 32, .value_slots = 2},
                   {.base_size = 22, .component_size = 2, .has_hash = true, .has_text = true},
                   {.base_size = 24}};
  }
  std::string Decode(EncodedChunk& chunk) {
    std::string wrong = ChunkDecoder(heap_.types, 3).Decode(chunk.header, chunk.Columns(), 8, objects_);
    return wrong.empty() ? DecodeContents(heap_.types, chunk.Columns(), objects_, contents_) : wrong;
  }
  // One of each type, in the order 2 0 1 0.
  EncodedChunk Mixed() {
    Append(heap_, 2);
    Append(heap_, 0).values = {-2, INT64_MAX};
    PlacedObject& word = Append(heap_, 1, 4);
    word.hash = 0xFEDCBA9876543210;
    word.text = "leak";
    Append(heap_, 0).values = {INT64_MIN, 7};
    return EncodeHeap(heap_).at(0);
  }

  Heap heap_;
  DecodedChunk objects_;
  DecodedContents contents_;
};

TEST_F(ContentsTest, RoundTrip) {
  EncodedChunk chunk = Mixed();
  ASSERT_EQ(Decode(chunk), "");
  EXPECT_TRUE(contents_.Of(0).values.empty());
  EXPECT_FALSE(contents_.Of(0).has_text);
  const auto values = [this](size_t i) {
    const ObjectContents contents = contents_.Of(i);
    return std::vector<int64_t>(contents.values.begin(), contents.values.end());
  };
  EXPECT_EQ(values(1), (std::vector<int64_t>{-2, INT64_MAX}));
  EXPECT_EQ(values(3), (std::vector<int64_t>{INT64_MIN, 7}));
  EXPECT_EQ(contents_.Of(2).hash, 0xFEDCBA9876543210u);
  EXPECT_TRUE(contents_.Of(2).has_text);
  EXPECT_FALSE(contents_.Of(2).text_cut);
  EXPECT_EQ(contents_.Of(2).text, "leak");
  EXPECT_EQ(contents_.Of(3).hash, 0u);
}

// 1,000 texts of 3,072 bytes and 2 of their length: 341 of them are 1,048,234 bytes, so the 342nd passes 1 MiB.
TEST_F(ContentsTest, TextsCloseAChunk) {
  for (int i = 0; i < 1000; ++i) Append(heap_, 1, 1536).text = std::string(3072, static_cast<char>('a' + i % 26));
  std::vector<EncodedChunk> chunks = EncodeHeap(heap_);
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[0].header.object_count, 342u);
  for (EncodedChunk& chunk : chunks) ASSERT_EQ(Decode(chunk), "");
  EXPECT_EQ(contents_.Of(0).text, std::string(3072, static_cast<char>('a' + 684 % 26)));
}

// 10 bytes a value: 104,858 values are the first to reach 1,048,576 bytes, in the 52,429th object.
TEST_F(ContentsTest, ValuesCloseAChunk) {
  for (int i = 0; i < 60000; ++i) Append(heap_, 0).values = {INT64_MIN, INT64_MAX};
  std::vector<EncodedChunk> chunks = EncodeHeap(heap_);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0].header.object_count, 52429u);
  for (EncodedChunk& chunk : chunks) ASSERT_EQ(Decode(chunk), "");
}

TEST_F(ContentsTest, LongerTextsAreCut) {
  Append(heap_, 1, 4000).text = std::string(4000, 'x');
  EncodedChunk chunk = EncodeHeap(heap_).at(0);
  ASSERT_EQ(Decode(chunk), "");
  EXPECT_EQ(contents_.Of(0).text.size(), 3072u);
  EXPECT_TRUE(contents_.Of(0).text_cut);
}

TEST_F(ContentsTest, EveryColumnIsCheckedAgainstItsEnd) {
  EncodedChunk chunk = Mixed();
  for (const ColumnKind kind : kContentColumns) {
    const std::vector<uint8_t> good = chunk.Column(kind);
    ASSERT_FALSE(good.empty());
    for (size_t cut = 0; cut < good.size(); ++cut) {
      chunk.Column(kind).assign(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(cut));
      EXPECT_NE(Decode(chunk), "") << "column " << int(kind) << " cut at " << cut;
    }
    chunk.Column(kind) = good;
    chunk.Column(kind).push_back(0);
    EXPECT_NE(Decode(chunk), "") << "column " << int(kind) << " with one byte more";
    chunk.Column(kind) = good;
  }
}

TEST_F(ContentsTest, HostileColumns) {
  EncodedChunk chunk = Mixed();
  chunk.Column(ColumnKind::kTexts) = {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01};
  EXPECT_EQ(Decode(chunk), "the text is longer than it may be in object 2");
  chunk.Column(ColumnKind::kTexts).assign(4000, 'x');
  chunk.Column(ColumnKind::kTexts)[0] = 0x82;  // 3,073 × 2 = 6,146 = 0x30 × 128 + 2
  chunk.Column(ColumnKind::kTexts)[1] = 0x30;
  EXPECT_EQ(Decode(chunk), "the text is longer than it may be in object 2");
  heap_.types[0].value_slots = 8192;
  EXPECT_EQ(Decode(chunk), "the values column ends before object 1");
}

}  // namespace
}  // namespace cairn::stream
