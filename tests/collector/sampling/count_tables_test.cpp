// A table for each thread, given on when its thread has ended and was read.

#include "collector/sampling/count_tables.h"

#include <gtest/gtest.h>

#include <latch>
#include <set>
#include <thread>
#include <vector>

namespace cairn::collector {
namespace {

uint64_t ObjectsIn(CountTables& tables, size_t* ended = nullptr) {
  uint64_t objects = 0;
  EXPECT_TRUE(tables.ForEach([&](size_t, CountTable& table, bool has_ended) {
    for (const CountTable::Row& row : table.Rows()) objects += row.objects;
    if (has_ended && ended != nullptr) ++*ended;
    return true;
  }));
  return objects;
}

TEST(CountTables, OneForEachThread) {
  CountTables& tables = *CountTables::Make();
  CountTable* mine = tables.Mine();
  ASSERT_NE(mine, nullptr);
  EXPECT_EQ(tables.Mine(), mine);
  CountTable* other = nullptr;
  std::thread([&] { other = tables.Mine(); }).join();
  EXPECT_NE(other, mine);
}

// Each of 5,000 threads, of which many more than there are tables, is counted once and its table given to another.
TEST(CountTables, ThreadsThatEndAreReadAndTheirTablesUsedAgain) {
  CountTables& tables = *CountTables::Make();
  std::set<CountTable*> seen;
  uint64_t objects = 0;
  for (int i = 0; i < 5000; ++i) {
    std::thread([&] {
      CountTable* mine = tables.Mine();
      ASSERT_NE(mine, nullptr);
      seen.insert(mine);
      EXPECT_TRUE(mine->Rows().empty());
      mine->Count(1, 0, 24);
    }).join();
    if (i % 10 == 9) objects += ObjectsIn(tables);
  }
  EXPECT_EQ(objects, 5000u);
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_EQ(ObjectsIn(tables), 0u);
}

TEST(CountTables, OneThatWasNotReadToItsEndStays) {
  CountTables& tables = *CountTables::Make();
  std::thread([&] { tables.Mine()->Count(1, 0, 24); }).join();
  EXPECT_FALSE(tables.ForEach([](size_t, CountTable&, bool) { return false; }));
  size_t ended = 0;
  EXPECT_EQ(ObjectsIn(tables, &ended), 1u);
  EXPECT_EQ(ended, 1u);
}

TEST(CountTables, MoreThreadsAtOnceThanThereAreTables) {
  CountTables& tables = *CountTables::Make();
  std::atomic<size_t> got{0}, none{0};
  std::vector<std::thread> threads;
  constexpr size_t kThreads = CountTables::kMostThreads + 3;
  std::latch there(kThreads);
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      ++(tables.Mine() != nullptr ? got : none);
      there.arrive_and_wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(got, CountTables::kMostThreads);
  EXPECT_EQ(none, 3u);
}

}  // namespace
}  // namespace cairn::collector
