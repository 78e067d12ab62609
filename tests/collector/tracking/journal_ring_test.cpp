#include "collector/tracking/journal_ring.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace cairn::collector {
namespace {

std::vector<uint8_t> Record(uint32_t writer, uint32_t number, size_t size) {
  std::vector<uint8_t> bytes(size, static_cast<uint8_t>(number));
  std::memcpy(bytes.data(), &writer, 4);
  std::memcpy(bytes.data() + 4, &number, 4);
  return bytes;
}

TEST(JournalRingTest, RecordsComeOutAsTheyWentIn) {
  JournalRing ring;
  ASSERT_TRUE(ring.Map(4096));
  EXPECT_TRUE(ring.Next().empty());
  // 1,000 times around a ring that holds three or four of them.
  for (uint32_t i = 0; i < 10'000; ++i) {
    const auto record = Record(0, i, 8 + i % 1000);
    ASSERT_TRUE(ring.Write(record, {}, 0));
    const auto got = ring.Next();
    ASSERT_EQ(std::vector(got.begin(), got.end()), record);
    ring.Pop();
  }
  EXPECT_TRUE(ring.Next().empty());
}

// A record of 84 bytes takes 16 + 96; 36 of them 4,032 of the 4,096 bytes.
TEST(JournalRingTest, RefusesWhatDoesNotFitAndGoesOnAfterwards) {
  JournalRing ring;
  ASSERT_TRUE(ring.Map(4096));
  uint32_t written = 0;
  while (ring.Write(Record(0, written, 84), {}, 0)) ++written;
  EXPECT_EQ(written, 36u);
  EXPECT_FALSE(ring.Write(Record(0, 0, 3000), {}, 0)) << "more than half of the ring";
  // Room comes back by the quarter: 10 records are 1,120 bytes.
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(ring.Next().size(), 84u);
    ring.Pop();
  }
  EXPECT_FALSE(ring.Write(Record(0, 0, 84), {}, 1100)) << "room is to be left";
  EXPECT_TRUE(ring.Write(Record(0, written, 84), {}, 0));
  for (uint32_t i = 10; i <= written; ++i) {
    uint32_t number = 0;
    ASSERT_EQ(ring.Next().size(), 84u);
    std::memcpy(&number, ring.Next().data() + 4, 4);
    EXPECT_EQ(number, i);
    ring.Pop();
  }
  EXPECT_TRUE(ring.Next().empty());
}

TEST(JournalRingTest, WritersAtOnceLoseNothing) {
  constexpr uint32_t kWriters = 4, kRecords = 20'000;
  JournalRing ring;
  ASSERT_TRUE(ring.Map(size_t{16} << 10));  // around it all the time
  std::vector<std::thread> writers;
  for (uint32_t w = 0; w < kWriters; ++w) {
    writers.emplace_back([&ring, w] {
      for (uint32_t i = 0; i < kRecords; ++i)
        while (!ring.Write(Record(w, i, 8 + i % 300), {}, 0)) std::this_thread::yield();
    });
  }
  std::vector<uint32_t> next(kWriters);
  for (uint32_t total = 0; total < kWriters * kRecords;) {
    const auto got = ring.Next();
    if (got.empty()) {
      std::this_thread::yield();
      continue;
    }
    uint32_t writer = 0, number = 0;
    std::memcpy(&writer, got.data(), 4);
    std::memcpy(&number, got.data() + 4, 4);
    ASSERT_LT(writer, kWriters);
    ASSERT_EQ(number, next[writer]++);
    ASSERT_EQ(got.size(), 8 + number % 300);
    ring.Pop();
    ++total;
  }
  for (std::thread& writer : writers) writer.join();
}

}  // namespace
}  // namespace cairn::collector
