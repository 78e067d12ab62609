#include "viewer/presentation/jobs.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

namespace cairn::presentation {
namespace {

TEST(Jobs, GiveTheirAnswerAndWake) {
  std::atomic<int> woken{0};
  JobRunner runner(2, [&] { ++woken; });
  const auto job = runner.Start<int>("adding", [](JobContext&) { return Result<int>(7); });
  runner.WaitUntilIdle();
  ASSERT_NE(job.Answer(), nullptr);
  EXPECT_EQ(job.Answer()->value(), 7);
}

TEST(Jobs, TellWhereTheyAreUntilTheyAreDone) {
  JobRunner runner(1, nullptr);
  std::promise<void> begun, go;
  const auto job = runner.Start<int>("reading shop.cairn", [&](JobContext& context) {
    context.Work().Begin("reading objects", 10);
    context.Work().Advance(4);
    begun.set_value();
    go.get_future().wait();
    return Result<int>(1);
  });
  begun.get_future().wait();
  EXPECT_EQ(job.Answer(), nullptr);
  EXPECT_EQ(job.Progress().step, "reading objects");
  EXPECT_EQ(job.Progress().done, 4u);
  EXPECT_EQ(job.Progress().total, 10u);
  ASSERT_EQ(runner.Unfinished().size(), 1u);
  EXPECT_EQ(runner.Unfinished().front()->Description(), "reading shop.cairn");
  go.set_value();
  runner.WaitUntilIdle();
  EXPECT_TRUE(runner.Unfinished().empty());
  EXPECT_NE(job.Answer(), nullptr);
}

TEST(Jobs, StepsInFreeWordsComeFirst) {
  JobRunner runner(1, nullptr);
  const auto job = runner.Start<int>("capturing", [](JobContext& context) {
    context.Work().Begin("reading objects", 10);
    context.Tell("attached", 1, 2);
    return Result<int>(1);
  });
  runner.WaitUntilIdle();
  EXPECT_EQ(job.Progress().step, "attached");
  EXPECT_EQ(job.Progress().total, 2u);
}

// Runs until it hears that nobody wants it.
Result<int> UntilCancelled(JobContext& context) {
  while (!context.Cancelled()) std::this_thread::yield();
  EXPECT_TRUE(context.Work().Cancelled());
  return analysis::WasCancelled();
}

TEST(Jobs, EndWhenTheirHandleGoes) {
  JobRunner runner(1, nullptr);
  {
    const auto job = runner.Start<int>("for ever", UntilCancelled);
    EXPECT_TRUE(job.IsWanted());
  }
  runner.WaitUntilIdle();
  auto job = runner.Start<int>("for ever", UntilCancelled);
  job = runner.Start<int>("another", [](JobContext&) { return Result<int>(2); });
  runner.WaitUntilIdle();
  EXPECT_EQ(job.Answer()->value(), 2);
}

TEST(Jobs, ThatNeverRanSayThatTheyWereCancelled) {
  JobRunner runner(1, nullptr);
  auto first = runner.Start<int>("for ever", UntilCancelled);
  auto second = runner.Start<int>("waits", [](JobContext&) { return Result<int>(2); });
  second.Cancel();
  first.Cancel();
  runner.WaitUntilIdle();
  EXPECT_EQ(second.Answer()->error().code, "cancelled");
}

TEST(Jobs, TheRunnerCancelsWhatRunsWhenItEnds) {
  Job<int> job;
  {
    JobRunner runner(1, nullptr);
    job = runner.Start<int>("for ever", UntilCancelled);
  }
  EXPECT_EQ(job.Answer()->error().code, "cancelled");
}

TEST(Jobs, WhatIsThrownBecomesAnError) {
  JobRunner runner(1, nullptr);
  const auto thrown = runner.Start<int>("a", [](JobContext&) -> Result<int> { throw std::runtime_error("broken"); });
  const auto memory = runner.Start<int>("b", [](JobContext&) -> Result<int> { throw std::bad_alloc(); });
  runner.WaitUntilIdle();
  EXPECT_EQ(thrown.Answer()->error().message, "unexpected: broken");
  EXPECT_EQ(memory.Answer()->error().code, "memory.exhausted");
}

}  // namespace
}  // namespace cairn::presentation
