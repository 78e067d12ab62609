#include "collector/contents/code_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace cairn::collector {
namespace {

TEST(CodeTable, KeepsEachAddressOnce) {
  const auto table = std::make_unique<CodeTable>();
  for (int round = 0; round < 2; ++round) {
    for (uint64_t i = 0; i < 100; ++i) table->Add(i * 24);  // 0 is none
  }
  std::multiset<uint64_t> seen;
  table->ForEach([&](uint64_t address) { seen.insert(address); });
  EXPECT_EQ(seen.size(), 99u);
  EXPECT_TRUE(seen.contains(24) && seen.contains(99 * 24));
  EXPECT_EQ(table->Dropped(), 0u);
}

TEST(CodeTable, CountsWhatFindsNoRoom) {
  const auto table = std::make_unique<CodeTable>();
  for (uint64_t i = 1; i <= CodeTable::kMost + 5; ++i) table->Add(i << 12);
  EXPECT_EQ(table->Dropped(), 5u);
}

}  // namespace
}  // namespace cairn::collector
