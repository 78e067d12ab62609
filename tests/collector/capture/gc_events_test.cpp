#include "collector/capture/gc_events.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace cairn::collector {
namespace {

// u64 final youngest desired size, i32 heaps, u32 condemned generation, then more.
std::vector<uint8_t> History(uint32_t condemned) {
  std::vector<uint8_t> payload(34, 0xEE);
  std::memcpy(payload.data() + 12, &condemned, sizeof condemned);
  return payload;
}

// "CommittedUsage" and its 0 in UTF-16, u32 size, u16 version, five u64.
std::vector<uint8_t> Committed(const char16_t* name, std::initializer_list<uint64_t> parts) {
  std::vector<uint8_t> payload(2 * 15 + 4 + 2 + 8 * parts.size());
  std::memcpy(payload.data(), name, 2 * 15);
  size_t at = 2 * 15 + 4 + 2;
  for (const uint64_t part : parts) {
    std::memcpy(payload.data() + at, &part, sizeof part);
    at += sizeof part;
  }
  return payload;
}

TEST(GcEventsTest, CommittedBytes) {
  uint64_t bytes = 0;
  ASSERT_TRUE(CommittedBytes(Committed(u"CommittedUsage", {1, 20, 300, 4000, 50000}), &bytes));
  EXPECT_EQ(bytes, 54321u);
  EXPECT_FALSE(CommittedBytes(Committed(u"CommittedUsage", {1, 20, 300, 4000}), &bytes));
  EXPECT_FALSE(CommittedBytes(Committed(u"SomethingElse!", {1, 20, 300, 4000, 50000}), &bytes));
  EXPECT_FALSE(CommittedBytes({}, &bytes));
}

TEST(GcEventsTest, CondemnedGeneration) {
  uint8_t generation = 9;
  for (const uint32_t condemned : {0u, 1u, 2u}) {
    ASSERT_TRUE(CondemnedGeneration(History(condemned), &generation));
    EXPECT_EQ(generation, condemned);
  }
  ASSERT_TRUE(CondemnedGeneration(History(3), &generation));
  EXPECT_EQ(generation, 2) << "older ones are collected with all";
  const std::vector<uint8_t> gen1 = History(1);
  ASSERT_TRUE(CondemnedGeneration(std::span(gen1).first(16), &generation));
  EXPECT_EQ(generation, 1);
  generation = 9;
  EXPECT_FALSE(CondemnedGeneration(std::span(gen1).first(15), &generation));
  EXPECT_FALSE(CondemnedGeneration({}, &generation));
  EXPECT_EQ(generation, 9) << "left alone";
}

}  // namespace
}  // namespace cairn::collector
