#include "collector/roots/stack_scan.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace cairn::collector {
namespace {

// Nothing is mapped there, and nobody but these tests has such values.
constexpr uint64_t kHeap = 0x0000123400000000, kHeapEnd = 0x0000123400100000;
constexpr AddressSpan kRanges[] = {{kHeap, kHeap + 0x10000}, {kHeap + 0x20000, kHeapEnd}};

// A thread that waits in the kernel with two values on its stack.
class Parked {
 public:
  explicit Parked(uint64_t value) : thread_([this, value] { Wait(value); }) {
    while (os_id == 0) std::this_thread::yield();
    while (State() != 'S') std::this_thread::yield();
  }
  ~Parked() {
    go_ = true;
    go_.notify_all();
    thread_.join();
  }
  std::atomic<uint32_t> os_id{0};

 private:
  void Wait(uint64_t value) {
    volatile uint64_t values[2] = {value, value + 8};
    os_id = static_cast<uint32_t>(syscall(SYS_gettid));
    go_.wait(false);
    values[0] = values[1];
  }
  char State() const {
    char path[64], text[512] = {};
    std::snprintf(path, sizeof path, "/proc/self/task/%u/stat", os_id.load());
    FILE* file = std::fopen(path, "r");
    const size_t size = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    const std::string_view line(text, size);
    return line[line.rfind(')') + 2];
  }

  std::atomic<bool> go_{false};
  std::thread thread_;
};

std::vector<StackCandidate> Of(const StackScan& scan, uint32_t thread) {
  std::vector<StackCandidate> found;
  for (const StackCandidate& candidate : scan.Candidates()) {
    if (candidate.thread == thread) found.push_back(candidate);
  }
  return found;
}

TEST(StackScan, FindsAddressesInTheHeapOnTheStacksOfOtherThreads) {
  StackScan scan;
  ASSERT_TRUE(scan.Prepare());
  Parked one(kHeap + 0x120), two(kHeap + 0x20018);
  const StackToScan stacks[] = {{one.os_id, 7, 0}, {two.os_id, 8, 0}};
  scan.Scan(stacks, kRanges);
  EXPECT_EQ(scan.Unscanned(), 0u);
  ASSERT_EQ(Of(scan, 7).size(), 2u);
  EXPECT_EQ(Of(scan, 7)[0].address, kHeap + 0x120);
  EXPECT_EQ(Of(scan, 7)[1].address, kHeap + 0x128);
  ASSERT_EQ(Of(scan, 8).size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(scan.Candidates(), {}, &StackCandidate::address));
}

TEST(StackScan, LeavesOutWhatLiesBetweenTheRanges) {
  StackScan scan;
  ASSERT_TRUE(scan.Prepare());
  Parked between(kHeap + 0x18000), last(kHeapEnd - 8);  // of which the second value is outside
  const StackToScan stacks[] = {{between.os_id, 1, 0}, {last.os_id, 2, 0}};
  scan.Scan(stacks, kRanges);
  EXPECT_TRUE(Of(scan, 1).empty());
  EXPECT_EQ(Of(scan, 2).size(), 1u);
  scan.Scan(stacks, {});
  EXPECT_TRUE(scan.Candidates().empty());
}

// A thread that never waits: where its stack ends, nobody can tell.
class Spinning {
 public:
  explicit Spinning(uint64_t word)
      : value(word), thread_([this] {
          volatile uint64_t on_stack = value;
          frame = reinterpret_cast<uintptr_t>(&on_stack);
          os_id = static_cast<uint32_t>(syscall(SYS_gettid));
          while (!stop_) on_stack = value;
        }) {
    while (os_id == 0) std::this_thread::yield();
  }
  ~Spinning() {
    stop_ = true;
    thread_.join();
  }
  const uint64_t value;
  std::atomic<uint64_t> frame{0};
  std::atomic<uint32_t> os_id{0};

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

TEST(StackScan, CountsTheThreadsItCannotSee) {
  StackScan scan;
  ASSERT_TRUE(scan.Prepare());
  Spinning running(kHeap + 0x40);
  const StackToScan stacks[] = {{running.os_id, 1, 0}, {0x7FFFFFFF, 2, 0}, {0, 3, 0}};
  scan.Scan(stacks, kRanges);
  EXPECT_EQ(scan.Unscanned(), 2u);  // one without an id has no stack
}

TEST(StackScan, BeginsAtTheFrameOfARunningThread) {
  StackScan scan;
  ASSERT_TRUE(scan.Prepare());
  Spinning running(kHeap + 0x40);
  const StackToScan stacks[] = {{running.os_id, 1, running.frame}};
  scan.Scan(stacks, kRanges);
  EXPECT_EQ(scan.Unscanned(), 0u);
  ASSERT_FALSE(Of(scan, 1).empty());
  EXPECT_EQ(Of(scan, 1)[0].address, kHeap + 0x40);
}

TEST(StackScan, NeedsToBePrepared) {
  StackScan scan;
  const StackToScan stacks[] = {{1, 1, 0}};
  scan.Scan(stacks, kRanges);
  EXPECT_TRUE(scan.Candidates().empty());
}

}  // namespace
}  // namespace cairn::collector
