#include "collector/capture/memory_budget.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace cairn::collector {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMiB = 1024 * 1024;
constexpr uint64_t kUnknown = ~uint64_t{0};

class MemoryBudgetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cairn-budget-XXXXXX";
    root_ = mkdtemp(name);
    Write("proc/self/statm", "1000 256 10 1 0 90 0\n");  // 256 pages resident
    Write("proc/meminfo", "MemTotal:  900 kB\nMemAvailable:    2048 kB\nBuffers: 1 kB\n");
    Write("proc/self/cgroup", "0::/a/b\n");
  }
  void TearDown() override { fs::remove_all(root_); }
  void Write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root_ + "/" + path).parent_path());
    std::ofstream(root_ + "/" + path) << text;
  }
  MemoryBudget Read() { return ReadMemoryBudget((root_ + "/proc").c_str(), (root_ + "/cg").c_str()); }

  std::string root_;
};

TEST_F(MemoryBudgetTest, MachineOnly) {
  const MemoryBudget budget = Read();
  EXPECT_EQ(budget.resident, 256 * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
  EXPECT_EQ(budget.available, 2 * kMiB);  // 2048 kB
}

TEST_F(MemoryBudgetTest, NoFilesAtAll) {
  const MemoryBudget budget = ReadMemoryBudget((root_ + "/none").c_str(), (root_ + "/none").c_str());
  EXPECT_EQ(budget.resident, 0u);
  EXPECT_EQ(budget.available, kUnknown);
}

// Group b leaves 1000000 - (900000 - 300000 of inactive file pages) = 400000; its parent leaves 100.
TEST_F(MemoryBudgetTest, TheTightestGroupAboveCounts) {
  Write("cg/a/b/memory.max", "1000000\n");
  Write("cg/a/b/memory.current", "900000\n");
  Write("cg/a/b/memory.stat", "anon 5\ninactive_file 300000\n");
  EXPECT_EQ(Read().available, 400000u);
  Write("cg/a/memory.max", "500100\n");
  Write("cg/a/memory.current", "500000\n");
  EXPECT_EQ(Read().available, 100u);
}

TEST_F(MemoryBudgetTest, NoLimitIsNoLimit) {
  Write("cg/a/b/memory.max", "max\n");
  Write("cg/a/b/memory.current", "900000\n");
  EXPECT_EQ(Read().available, 2 * kMiB);
}

TEST_F(MemoryBudgetTest, UsageOverTheLimitLeavesNothing) {
  Write("cg/a/b/memory.max", "1000\n");
  Write("cg/a/b/memory.current", "2000\n");
  EXPECT_EQ(Read().available, 0u);
}

// Inside a container the mount holds the group's own files at its root, whatever the path says.
TEST_F(MemoryBudgetTest, RootOfTheMount) {
  Write("cg/memory.max", "70000\n");
  Write("cg/memory.current", "20000\n");
  EXPECT_EQ(Read().available, 50000u);
}

TEST_F(MemoryBudgetTest, VersionOne) {
  Write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/m\n0::/\n");
  Write("cg/memory/m/memory.limit_in_bytes", "5000\n");
  Write("cg/memory/m/memory.usage_in_bytes", "4000\n");
  Write("cg/memory/m/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");
  EXPECT_EQ(Read().available, 1500u);  // 5000 - (4000 - 500)
}

TEST(SpoolSizeTest, FollowsTheResidentSet) {
  const SpoolSize size = SpoolSizeFor(1000 * kMiB);
  EXPECT_EQ(size.reserved, 564 * kMiB);  // 1000 / 2 + 64
  EXPECT_EQ(size.touched, 100 * kMiB);   // 1000 / 10
}

TEST(FitsTest, LeavesTheApplicationItsRoom) {
  EXPECT_TRUE(Fits({0, 132 * kMiB, {}}, 100 * kMiB));  // 100 + 32
  EXPECT_FALSE(Fits({0, 132 * kMiB, {}}, 100 * kMiB + 1));
  EXPECT_TRUE(Fits({0, kUnknown, {}}, kUnknown / 2));
}

}  // namespace
}  // namespace cairn::collector
