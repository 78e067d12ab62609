#include "collector/sampling/stack_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace cairn::collector {
namespace {

using Frames = std::vector<uint32_t>;

TEST(StackTableTest, NumbersStacksAsAMapWould) {
  std::mt19937 random(7);
  StackTable table;
  std::map<std::pair<Frames, bool>, uint32_t> naive;
  for (int i = 0; i < 100'000; ++i) {
    // Few methods and short stacks, so that most are seen again; long ones that share all but one frame.
    Frames frames(random() % 4 == 0 ? 32 : random() % 6);
    for (uint32_t& frame : frames) frame = frames.size() == 32 ? 5 : random() % 7;
    if (frames.size() == 32) frames[random() % 32] = random() % 50;
    const bool cut = random() % 2 == 0;
    const auto [at, is_new] = naive.try_emplace({frames, cut}, static_cast<uint32_t>(naive.size() + 1));
    ASSERT_EQ(table.Intern(frames, cut), at->second);
  }
  ASSERT_EQ(table.Size(), naive.size() + 1);
  for (const auto& [stack, number] : naive) {
    EXPECT_TRUE(std::ranges::equal(table.Frames(number), stack.first));
    EXPECT_EQ(table.IsCut(number), stack.second);
  }
  EXPECT_EQ(table.Overflowed(), 0u);
}

TEST(StackTableTest, WhatDoesNotFitIsTheEmptyStack) {
  StackTable table(2, 5);
  EXPECT_EQ(table.Intern(Frames{1, 2}, false), 1u);
  EXPECT_EQ(table.Intern(Frames{1, 2, 3, 4}, false), 0u);  // 2 + 4 frames are more than 5
  EXPECT_EQ(table.Intern(Frames{1, 2, 3}, false), 2u);
  EXPECT_EQ(table.Intern(Frames{}, false), 0u);  // a third stack
  EXPECT_EQ(table.Intern(Frames{1, 2}, false), 1u);
  EXPECT_EQ(table.Overflowed(), 2u);
  EXPECT_TRUE(table.Frames(0).empty());
}

}  // namespace
}  // namespace cairn::collector
