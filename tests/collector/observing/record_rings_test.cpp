#include "collector/observing/record_rings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <thread>
#include <vector>

namespace cairn::collector {
namespace {

constexpr size_t kRing = 1u << 16;

std::vector<uint8_t> Number(uint32_t number, size_t size = sizeof(uint32_t)) {
  std::vector<uint8_t> bytes(size);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

uint32_t NumberOf(std::span<const uint8_t> payload) {
  uint32_t number = 0;
  std::memcpy(&number, payload.data(), sizeof number);
  return number;
}

std::vector<uint32_t> DrainAll(RecordRings& rings) {
  std::vector<uint32_t> numbers;
  EXPECT_TRUE(rings.Drain([&](const ObservedRecord&, std::span<const uint8_t> payload) {
    numbers.push_back(NumberOf(payload));
    return true;
  }));
  return numbers;
}

TEST(RecordRingsTest, RecordsComeOutWithTimeThreadKindAndBothParts) {
  RecordRings rings;
  ASSERT_TRUE(rings.Map(kRing));
  ASSERT_TRUE(rings.Write(3, 7, Number(1), Number(2)));
  size_t seen = 0;
  ASSERT_TRUE(rings.Drain([&](const ObservedRecord& record, std::span<const uint8_t> payload) {
    ++seen;
    EXPECT_EQ(record.kind, 3);
    EXPECT_EQ(record.detail, 7);
    EXPECT_EQ(record.os_thread, static_cast<uint32_t>(gettid()));
    EXPECT_NE(record.time_ns, 0u);
    EXPECT_EQ(payload.size(), 8u);
    EXPECT_EQ(NumberOf(payload.subspan(4)), 2u);
    return true;
  }));
  EXPECT_EQ(seen, 1u);
}

TEST(RecordRingsTest, WhatDoesNotFitShutsItsKindAndIsCounted) {
  RecordRings rings;
  ASSERT_TRUE(rings.Map(kRing));
  uint32_t written = 0;
  while (rings.Write(1, 0, Number(written, 100))) ++written;
  ASSERT_GT(written, 100u);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(rings.Write(1, 0, Number(0)));
  EXPECT_EQ(rings.Lost(), 5u) << "the one that did not fit, and four after it";
  // All that came before the gap is there, in order; then the gap is told once.
  const auto numbers = DrainAll(rings);
  ASSERT_EQ(numbers.size(), written);
  for (uint32_t i = 0; i < written; ++i) ASSERT_EQ(numbers[i], i);
  EXPECT_EQ(rings.Reopen(1), 5u);
  EXPECT_EQ(rings.Reopen(1), 0u);
  EXPECT_TRUE(rings.Write(1, 0, Number(9)));
  EXPECT_EQ(DrainAll(rings), std::vector<uint32_t>{9});
}

// Rank 6 leaves 6/16 of a ring to the others.
TEST(RecordRingsTest, NoisyKindsAreShutFirst) {
  RecordRings rings;
  rings.SetRank(2, 6);
  ASSERT_TRUE(rings.Map(kRing));
  while (rings.Write(2, 0, Number(0, 100))) continue;
  uint32_t rare = 0;
  while (rare < 100 && rings.Write(5, 0, Number(rare, 100))) ++rare;
  EXPECT_EQ(rare, 100u) << "100 records of 132 bytes are less than 24 KiB";
  EXPECT_EQ(rings.Reopen(5), 0u);
}

TEST(RecordRingsTest, AKindStaysShutUntilTheRingsWereRead) {
  RecordRings rings;
  ASSERT_TRUE(rings.Map(kRing));
  while (rings.Write(1, 0, Number(0, 100))) continue;
  EXPECT_FALSE(rings.Drain([](const ObservedRecord&, std::span<const uint8_t>) { return false; }));
  EXPECT_EQ(rings.Reopen(1), 0u);
  EXPECT_FALSE(rings.Write(1, 0, Number(0)));
  DrainAll(rings);
  EXPECT_EQ(rings.Reopen(1), 2u);
}

TEST(RecordRingsTest, EachThreadIsInOrderAndNothingIsLostUnnoticed) {
  constexpr uint32_t kWriters = 6, kRecords = 20'000;
  RecordRings rings;
  ASSERT_TRUE(rings.Map(kRing));
  std::atomic<uint32_t> running{kWriters};
  std::vector<std::thread> writers;
  for (uint32_t w = 0; w < kWriters; ++w)
    writers.emplace_back([&, w] {
      for (uint32_t i = 0; i < kRecords; ++i) rings.Write(static_cast<uint16_t>(w), 0, Number(i));
      --running;
    });
  std::map<uint16_t, uint32_t> next;
  uint64_t got = 0, told = 0;
  const auto read = [&] {
    EXPECT_TRUE(rings.Drain([&](const ObservedRecord& record, std::span<const uint8_t> payload) {
      EXPECT_GE(NumberOf(payload), next[record.kind]);
      next[record.kind] = NumberOf(payload) + 1;
      ++got;
      return true;
    }));
    for (uint16_t w = 0; w < kWriters; ++w) told += rings.Reopen(w);
  };
  while (running != 0) read();
  for (std::thread& writer : writers) writer.join();
  read();
  EXPECT_EQ(got + told, uint64_t{kWriters} * kRecords);
  EXPECT_EQ(told, rings.Lost());
}

}  // namespace
}  // namespace cairn::collector
