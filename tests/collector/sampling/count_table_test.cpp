// What a thread allocated: exact while another thread reads, bounded, and nothing is lost where there is no room.

#include "collector/sampling/count_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "collector/walk/pages.h"

namespace cairn::collector {
namespace {

struct Unmap {
  void operator()(CountTable* table) const { pages::Unmap(reinterpret_cast<uint8_t*>(table), sizeof *table); }
};

class CountTableTest : public testing::Test {
 protected:
  std::unique_ptr<CountTable, Unmap> owned_{CountTable::Map()};
  CountTable& table_ = *owned_;
};

std::vector<uint32_t> FramesOf(const CountTable& table, uint32_t stack) {
  const auto frames = table.Frames(stack);
  return {frames.begin(), frames.end()};
}

TEST_F(CountTableTest, AddsUpByTypeAndStack) {
  const uint32_t first[] = {7, 8}, second[] = {7};
  const uint32_t one = table_.StackOf(first, false), two = table_.StackOf(second, true);
  EXPECT_NE(one, two);
  EXPECT_EQ(table_.StackOf(first, false), one);
  EXPECT_NE(table_.StackOf(first, true), one);  // another stack: there was more of it
  EXPECT_TRUE(table_.Count(5, one, 24));
  EXPECT_TRUE(table_.Count(5, two, 24));
  EXPECT_TRUE(table_.Count(5, one, 48));
  const auto rows = table_.Rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].objects, 2u);
  EXPECT_EQ(rows[0].bytes, 72u);
  EXPECT_EQ(rows[1].objects, 1u);
  EXPECT_EQ(FramesOf(table_, rows[0].stack), (std::vector<uint32_t>{7, 8}));
  EXPECT_EQ(FramesOf(table_, rows[1].stack), (std::vector<uint32_t>{7}));
  EXPECT_TRUE(table_.IsCut(rows[1].stack));
}

TEST_F(CountTableTest, OneObjectOfThreeGigabytesIsNotCutShort) {
  EXPECT_TRUE(table_.Count(1, 0, 3'000'000'024));
  EXPECT_TRUE(table_.Count(1, 0, 3'000'000'024));
  EXPECT_EQ(table_.Rows()[0].bytes, 6'000'000'048u);
}

TEST_F(CountTableTest, ARowThatDoesNotFitIsRefusedAndTheOthersGoOn) {
  for (uint32_t type = 1; type <= CountTable::kMostRows; ++type) ASSERT_TRUE(table_.Count(type, 0, 24));
  EXPECT_FALSE(table_.Count(CountTable::kMostRows + 1, 0, 24));
  EXPECT_TRUE(table_.Count(1, 0, 24));
  EXPECT_EQ(table_.Rows().size(), CountTable::kMostRows);
  EXPECT_EQ(table_.Rows()[0].objects, 2u);
}

TEST_F(CountTableTest, AStackThatDoesNotFitIsNone) {
  for (uint32_t frame = 0; frame < CountTable::kMostStacks; ++frame) ASSERT_NE(table_.StackOf({&frame, 1}, false), 0u);
  const uint32_t another = CountTable::kMostStacks;
  EXPECT_EQ(table_.StackOf({&another, 1}, false), 0u);
  const uint32_t known = 0;
  EXPECT_EQ(table_.StackOf({&known, 1}, false), 1u);
}

// 4,096 stacks of 32 frames are 131,072 frames, which is all there is room for.
TEST_F(CountTableTest, FramesThatDoNotFitAreNoStack) {
  std::vector<uint32_t> frames(32);
  for (uint32_t stack = 0; stack < 4096; ++stack) {
    frames[0] = stack;
    ASSERT_NE(table_.StackOf(frames, false), 0u);
  }
  frames[0] = 4096;
  EXPECT_EQ(table_.StackOf(frames, false), 0u);
}

TEST_F(CountTableTest, TheNextOwnerBeginsAnew) {
  table_.state = CountTable::State::kLeft;
  const uint32_t frames[] = {1, 2, 3};
  table_.Count(4, table_.StackOf(frames, false), 24);
  table_.Rows()[0].told_objects = 1;
  table_.Clear();
  EXPECT_EQ(table_.state, CountTable::State::kLeft);
  EXPECT_TRUE(table_.Rows().empty());
  const uint32_t others[] = {9};
  EXPECT_EQ(table_.StackOf(others, false), 1u);
  EXPECT_TRUE(table_.Count(4, 1, 24));
  EXPECT_EQ(table_.Rows()[0].objects, 1u);
  EXPECT_EQ(table_.Rows()[0].told_objects, 0u);
}

// The sums that the reader takes while the owner counts add up to all of it: 200,000 objects of 24 bytes.
TEST_F(CountTableTest, WhatIsReadMeanwhileAddsUp) {
  std::thread owner([&] {
    for (uint32_t i = 0; i < 200'000; ++i) table_.Count(1 + i % 100, 0, 24);
    table_.state = CountTable::State::kLeft;
  });
  uint64_t objects = 0, bytes = 0;
  bool last = false;
  do {
    last = table_.state == CountTable::State::kLeft;
    for (CountTable::Row& row : table_.Rows()) {
      const uint64_t now = row.objects, sum = row.bytes;
      objects += now - row.told_objects;
      bytes += sum - row.told_bytes;
      row.told_objects = now;
      row.told_bytes = sum;
    }
  } while (!last);
  owner.join();
  EXPECT_EQ(objects, 200'000u);
  EXPECT_EQ(bytes, 4'800'000u);
}

}  // namespace
}  // namespace cairn::collector
