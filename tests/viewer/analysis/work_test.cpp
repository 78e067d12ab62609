#include "viewer/analysis/work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <string>

#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/parallel.h"

namespace cairn::analysis {
namespace {

TEST(ParallelFor, RunsEachPieceOnce) {
  Work work;
  std::atomic<int> runs[100] = {};
  ASSERT_TRUE(ParallelFor(100, 4, work, [&](size_t piece, unsigned thread) {
    EXPECT_LT(thread, 4u);
    ++runs[piece];
    return Status();
  }));
  for (const auto& count : runs) EXPECT_EQ(count, 1);
  EXPECT_EQ(work.Now().done, 100u);
}

TEST(ParallelFor, ErrorEndsTheRest) {
  Work work;
  std::atomic<int> runs{0};
  const Status status = ParallelFor(1'000'000, 2, work, [&](size_t piece, unsigned) -> Status {
    ++runs;
    if (piece == 3) return Fail(ErrorKind::kDamaged, "test.third", "The third.");
    return {};
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, "test.third");
  EXPECT_LT(runs, 1'000'000);
}

TEST(ParallelFor, CancelAndExhaustedMemoryAreErrors) {
  Work work;
  EXPECT_EQ(ParallelFor(8, 2, work, [](size_t, unsigned) -> Status { throw std::bad_alloc(); }).error().code,
            "memory.exhausted");
  work.Cancel();
  EXPECT_EQ(ParallelFor(8, 2, work, [](size_t, unsigned) { return Status(); }).error().code, "cancelled");
}

TEST(Stride, ReportsAndStopsAtTheNextStride) {
  Work work;
  Stride stride(work);
  for (uint64_t i = 1; i < kCancelStride; ++i) ASSERT_TRUE(stride.Step());
  EXPECT_TRUE(stride.Step());
  EXPECT_EQ(work.Now().done, kCancelStride);
  work.Cancel();
  uint64_t steps = 1;
  while (stride.Step()) ++steps;
  EXPECT_EQ(steps, kCancelStride);
}

// Grows from the C library's heap into mapped pages and on: what was there stays, what is new is zero.
TEST(FlatStack, KeepsItsItemsWhileItGrows) {
  FlatStack<uint64_t> stack;
  for (uint64_t i = 0; i < 300'000; ++i) stack.Push(i * 3);
  ASSERT_EQ(stack.size(), 300'000u);
  for (uint64_t i = 300'000; i-- > 0; stack.Pop()) ASSERT_EQ(stack.Top(), i * 3);
  EXPECT_TRUE(stack.empty());
}

TEST(FlatArray, NewElementsAreZero) {
  FlatArray<uint32_t> array(10);
  for (uint32_t& item : array) item = 7;
  for (const size_t size : {100u, 100'000u, 1'000'000u}) {
    const size_t before = array.size();
    array.Grow(size);
    EXPECT_EQ(array[9], 7u);
    for (size_t i = before; i < size; ++i) ASSERT_EQ(array[i], 0u) << i;
  }
  FlatArray<uint32_t> moved = std::move(array);
  EXPECT_EQ(moved.size(), 1'000'000u);
  EXPECT_EQ(moved[9], 7u);
}

}  // namespace
}  // namespace cairn::analysis
