#include "snapshot-format/stream/records.h"

#include <gtest/gtest.h>

namespace cairn::stream {

enum class Colour : uint8_t { kRed = 0, kBlue = 1 };
struct Stone {
  uint32_t weight = 0;
  std::string name;
  Colour colour{};
};
template <class A>
void Fields(A& a, Stone& s) {
  a(s.weight), a(s.name), a(s.colour);
}
struct Heap {
  std::vector<Stone> stones;
  uint8_t key[4] = {};
  double height = 0;
  bool loose = false;
};
template <class A>
void Fields(A& a, Heap& h) {
  a(h.stones), a(h.key), a(h.height), a(h.loose);
}

namespace {

Heap Example() { return {{{7, "granite", Colour::kBlue}, {9, "", Colour::kRed}}, {1, 2, 3, 4}, 1.5, true}; }

std::vector<uint8_t> Encode(const Heap& heap) {
  RecordWriter writer;
  writer(heap);
  return writer.Take();
}

TEST(RecordsTest, RoundTrips) {
  const std::vector<uint8_t> bytes = Encode(Example());
  // count 4; stone: 4 + 4 + 7 + 1 and 4 + 4 + 0 + 1; key 4; height 8; loose 1.
  EXPECT_EQ(bytes.size(), 4u + 16 + 9 + 4 + 8 + 1);
  Heap heap;
  RecordReader reader(bytes);
  reader(heap);
  EXPECT_TRUE(reader.Complete());
  ASSERT_EQ(heap.stones.size(), 2u);
  EXPECT_EQ(heap.stones[0].name, "granite");
  EXPECT_EQ(heap.stones[0].colour, Colour::kBlue);
  EXPECT_EQ(heap.stones[1].weight, 9u);
  EXPECT_EQ(heap.key[3], 4);
  EXPECT_EQ(heap.height, 1.5);
  EXPECT_TRUE(heap.loose);
}

TEST(RecordsTest, RefusesEveryCutAndEveryRest) {
  std::vector<uint8_t> bytes = Encode(Example());
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    Heap heap;
    RecordReader reader({bytes.data(), cut});
    reader(heap);
    EXPECT_FALSE(reader.Ok()) << cut;
    EXPECT_FALSE(reader.Complete());
  }
  bytes.push_back(0);
  Heap heap;
  RecordReader reader(bytes);
  reader(heap);
  EXPECT_TRUE(reader.Ok());
  EXPECT_FALSE(reader.Complete());
}

TEST(RecordsTest, RefusesLyingCountsBeforeAllocating) {
  std::vector<uint8_t> bytes = Encode(Example());
  bytes[0] = bytes[1] = bytes[2] = bytes[3] = 0xFF;  // 4,294,967,295 stones
  Heap heap;
  RecordReader reader(bytes);
  reader(heap);
  EXPECT_FALSE(reader.Ok());
  EXPECT_EQ(heap.stones.capacity(), 0u);

  const std::vector<uint8_t> good = Encode(Example());
  RecordReader limited(good, 1);  // two stones are one too many
  limited(heap);
  EXPECT_FALSE(limited.Ok());
}

TEST(RecordsTest, ReservesLittleForACountThatOnlyTheBytesAllow) {
  // 100,000 bytes could be as many stones of one byte; they hold 4,294,967,295-byte names instead.
  std::vector<uint8_t> bytes(100'000, 0xFF);
  const uint32_t count = 90'000;
  std::memcpy(bytes.data(), &count, sizeof count);
  Heap heap;
  RecordReader reader(bytes);
  reader(heap);
  EXPECT_FALSE(reader.Ok());
  EXPECT_LE(heap.stones.capacity(), 4096u);
}

TEST(RecordsTest, ATruthValueIsZeroOrOne) {
  std::vector<uint8_t> bytes = Encode(Example());
  bytes.back() = 2;  // loose
  Heap heap;
  RecordReader reader(bytes);
  reader(heap);
  EXPECT_FALSE(reader.Ok());
  EXPECT_FALSE(heap.loose);
}

}  // namespace
}  // namespace cairn::stream
