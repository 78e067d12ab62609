// Counts and lines of calls: exact where several threads call at once, bounded where nobody reads, and harmless where a
// call ends after its log.

#include "collector/il/call_log.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace cairn::collector::il {
namespace {

CallLog& Log() { return CallLog::Instance(); }

struct Drained {
  uint64_t enters = 0, leaves = 0, exceptions = 0;
  std::vector<CallRecord> records;
};

Drained DrainAll() {
  Drained drained;
  EXPECT_TRUE(Log().Drain([&](size_t, uint32_t, const CallRecord& record) {
    record.leave ? ++drained.leaves : ++drained.enters;
    if (record.exception != 0) ++drained.exceptions;
    drained.records.push_back(record);
    return true;
  }));
  return drained;
}

void CallOnce(uint64_t key, uint64_t exception = 0) {
  const auto start = static_cast<uint64_t>(CallLog::Enter(key));
  CallLog::Leave(key, start, exception);
}

// The first of all: a client that leaves before anything began.
TEST(CallLog, HasNothingToTellBeforeItBegins) {
  EXPECT_EQ(Log().Totals(50).size(), 50u);
  EXPECT_EQ(Log().Totals(50)[49].enters, 0u);
}

TEST(CallLog, IsForOneUserAtATime) {
  EXPECT_TRUE(Log().Reserve());
  EXPECT_FALSE(Log().Reserve());
  Log().Free();
  EXPECT_TRUE(Log().Reserve());
  Log().Free();
}

TEST(CallLog, CountsAndTellsCalls) {
  ASSERT_TRUE(Log().Begin(true));
  CallOnce(Log().KeyOf(3));
  CallOnce(Log().KeyOf(5), 77);
  const Drained drained = DrainAll();
  ASSERT_EQ(drained.records.size(), 4u);
  EXPECT_EQ(drained.records[0].method, 3u);
  EXPECT_EQ(drained.records[3].exception, 77u);
  EXPECT_GE(drained.records[3].time_ns, drained.records[2].time_ns);
  const auto totals = Log().Totals(6);
  EXPECT_EQ(totals[3].enters, 1u);
  EXPECT_EQ(totals[3].exceptions, 0u);
  EXPECT_EQ(totals[5].leaves, 1u);
  EXPECT_EQ(totals[5].exceptions, 1u);
  EXPECT_EQ(totals[0].enters, 0u);
  Log().End();
}

// Three calls one in the other, of 100, 60 and 10 ns, then one more of 7 ns: the time of the method is 100 + 7, since
// what the inner ones took is part of the outermost. A method between them has its own time.
TEST(ThreadLog, CountsTheTimeOfARecursiveMethodOnce) {
  const auto log = std::make_unique<ThreadLog>();
  constexpr uint32_t kSession = 1, kRecursive = 4, kBetween = 5;
  log->Enter(kSession, kRecursive, 1000, false);
  log->Enter(kSession, kBetween, 1010, false);
  log->Enter(kSession, kRecursive, 1020, false);
  log->Enter(kSession, kRecursive, 1030, false);
  log->Leave(kSession, kRecursive, 1030, 1040, 0, false);
  log->Leave(kSession, kRecursive, 1020, 1080, 7, false);
  log->Leave(kSession, kBetween, 1010, 1090, 0, false);
  log->Leave(kSession, kRecursive, 1000, 1100, 0, false);
  log->Enter(kSession, kRecursive, 1200, false);
  log->Leave(kSession, kRecursive, 1200, 1207, 0, false);
  const CallCounters recursive = log->Counters(kRecursive);
  EXPECT_EQ(recursive.enters, 4u);
  EXPECT_EQ(recursive.leaves, 4u);
  EXPECT_EQ(recursive.exceptions, 1u);
  EXPECT_EQ(recursive.total_ns, 107u);
  EXPECT_EQ(recursive.longest_ns, 100u);
  EXPECT_EQ(log->Counters(kBetween).total_ns, 80u);
}

// Each line says whether its call lies within another of the same method, so that sums of lines need no lost line.
TEST(ThreadLog, TellsWhichCallsAreInner) {
  const auto log = std::make_unique<ThreadLog>();
  log->Enter(1, 4, 1000, true);
  log->Enter(1, 4, 1010, true);
  log->Leave(1, 4, 1010, 1020, 0, true);
  log->Enter(1, 5, 1030, true);
  log->Leave(1, 5, 1030, 1040, 0, true);
  log->Leave(1, 4, 1000, 1050, 0, true);
  std::vector<bool> inner;
  for (CallRecord record; log->Take(record);) inner.push_back(record.is_inner);
  EXPECT_EQ(inner, (std::vector<bool>{false, true, true, false, false, false}));
}

// What was entered before the session began anew is not taken for an outer call of what comes then.
TEST(ThreadLog, BeginsEachSessionOutsideOfAllCalls) {
  const auto log = std::make_unique<ThreadLog>();
  log->Enter(1, 4, 1000, false);
  log->Enter(2, 4, 2000, false);
  log->Leave(2, 4, 2000, 2030, 0, false);
  EXPECT_EQ(log->Counters(4).total_ns, 30u);
}

// 8 threads, 20,000 calls each, read meanwhile or not: what is not told is counted as lost, and the sums miss nothing.
TEST(CallLog, LosesLinesButNoCounts) {
  constexpr uint64_t kThreads = 8, kCalls = 20000;
  ASSERT_TRUE(Log().Begin(true));
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([] {
      for (uint64_t call = 0; call < kCalls; ++call) CallOnce(Log().KeyOf(1));
    });
  }
  Drained some = DrainAll();
  for (std::thread& thread : threads) thread.join();
  const Drained rest = DrainAll();
  const auto totals = Log().Totals(2);
  EXPECT_EQ(totals[1].enters, kThreads * kCalls);
  EXPECT_EQ(totals[1].leaves, kThreads * kCalls);
  EXPECT_EQ(some.records.size() + rest.records.size() + Log().Lost(), 2 * kThreads * kCalls);
  EXPECT_EQ(Log().NotCounted(), 0u);
  Log().End();
}

TEST(CallLog, ForgetsEarlierSessions) {
  ASSERT_TRUE(Log().Begin(true));
  const uint64_t old = Log().KeyOf(1);
  const auto start = static_cast<uint64_t>(CallLog::Enter(old));
  Log().End();
  CallLog::Leave(old, start, 0);      // ends after everything was put back
  EXPECT_EQ(CallLog::Enter(old), 0);  // old code that is still running
  ASSERT_TRUE(Log().Begin(true));
  CallLog::Leave(old, start, 0);
  CallOnce(Log().KeyOf(1));
  EXPECT_EQ(DrainAll().records.size(), 2u);
  EXPECT_EQ(Log().Totals(2)[1].enters, 1u);
  EXPECT_EQ(Log().Totals(2)[1].leaves, 1u);
  Log().End();
}

TEST(CallLog, CountsWithoutLines) {
  ASSERT_TRUE(Log().Begin(false));
  for (int i = 0; i < 100; ++i) CallOnce(Log().KeyOf(0));
  EXPECT_TRUE(DrainAll().records.empty());
  EXPECT_EQ(Log().Totals(1)[0].leaves, 100u);
  EXPECT_EQ(Log().Lost(), 0u);
  Log().End();
}

// Logs of threads that ended are used again: 3,000 threads, one after the other, where there is room for 1,024.
TEST(CallLog, UsesRoomOfEndedThreadsAgain) {
  ASSERT_TRUE(Log().Begin(false));
  for (int i = 0; i < 3000; ++i) {
    std::thread([] { CallOnce(Log().KeyOf(2)); }).join();
    if (i % 500 == 0) DrainAll();
  }
  DrainAll();
  EXPECT_EQ(Log().Totals(3)[2].enters, 3000u);
  EXPECT_EQ(Log().NotCounted(), 0u);
  Log().End();
}

// 1,024 logs of ended threads that nobody has read: another thread finds none, and looks for one no more until the next
// session, also when there are some.
TEST(CallLog, AThreadThatFindsNoRoomLooksOncePerSession) {
  ASSERT_TRUE(Log().Begin(false));
  for (size_t i = 0; i < CallLog::kMostThreads; ++i) std::thread([] { CallOnce(Log().KeyOf(0)); }).join();
  std::thread([] {
    const uint64_t before = Log().NotCounted();
    CallOnce(Log().KeyOf(0));
    DrainAll();
    CallOnce(Log().KeyOf(0));
    EXPECT_EQ(Log().NotCounted(), before + 2);
    ASSERT_TRUE(Log().Begin(false));
    CallOnce(Log().KeyOf(0));
  }).join();
  EXPECT_EQ(Log().NotCounted(), 0u);
  EXPECT_EQ(Log().Totals(1)[0].enters, 1u);
  Log().End();
}

}  // namespace
}  // namespace cairn::collector::il
