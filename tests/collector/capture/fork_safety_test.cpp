// What stands against a fork, and how many processors there are, in folders laid out here.

#include "collector/capture/fork_safety.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "collector/capture/cpu_budget.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::collector {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

class ForkSafetyTest : public ::testing::Test {
 protected:
  ForkSafetyTest() {
    Write("proc/self/status", "Name:\tx\nHugetlbPages:\t       0 kB\n");
    Write("proc/self/cgroup", "0::/a/b\n");
    Write("proc/sys/vm/overcommit_memory", "0\n");
    Write("cgroup/a/b/memory.oom.group", "0\n");
  }
  void Write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_.File(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string Code(const MemoryBudget& budget, unsigned major = 10) {
    const Refusal* refusal = ForkRefusal(budget, major, folder_.File("proc").c_str(), folder_.File("cgroup").c_str());
    return refusal == nullptr ? "" : refusal->code;
  }
  unsigned Cpus() { return AllowedCpus(folder_.File("proc").c_str(), folder_.File("cgroup").c_str()); }

  snapshot::testing::TemporaryFolder folder_;
  // 600 MiB of copies and 32 MiB for the application do fit.
  MemoryBudget enough_{1000 * kMiB, 700 * kMiB, {}};
};

TEST_F(ForkSafetyTest, NothingStandsAgainstIt) { EXPECT_EQ(Code(enough_), ""); }

TEST_F(ForkSafetyTest, HugePages) {
  Write("proc/self/status", "HugetlbPages:\t    2048 kB\n");
  EXPECT_EQ(Code(enough_), "fork.huge_pages");
}

TEST_F(ForkSafetyTest, StrictOvercommit) {
  Write("proc/sys/vm/overcommit_memory", "2\n");
  EXPECT_EQ(Code(enough_), "fork.strict_overcommit");
}

TEST_F(ForkSafetyTest, TheGroupDiesAsOne) {
  Write("cgroup/a/b/memory.oom.group", "1\n");
  EXPECT_EQ(Code(enough_), "fork.oom_group");
}

TEST_F(ForkSafetyTest, AGroupAboveDiesAsOne) {
  Write("cgroup/a/memory.oom.group", "1\n");
  EXPECT_EQ(Code(enough_), "fork.oom_group");
}

TEST_F(ForkSafetyTest, TheCopiesWouldNotFit) {
  EXPECT_EQ(Code({1000 * kMiB, 631 * kMiB, {}}), "fork.memory");
  EXPECT_EQ(Code({1000 * kMiB, 632 * kMiB, {}}), "");  // 600 + 32
  EXPECT_EQ(Code({1000 * kMiB, ~uint64_t{0}, {}}), "") << "no limit is known";
}

TEST_F(ForkSafetyTest, ARuntimeWithoutPlainArrays) { EXPECT_EQ(Code(enough_, 3), "fork.old_runtime"); }

TEST_F(ForkSafetyTest, ProcessorsByTheQuotaOfAnyGroupAbove) {
  const unsigned all = Cpus();
  EXPECT_GE(all, 1u);
  Write("cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(Cpus(), all);
  Write("cgroup/a/cpu.max", "150000 100000\n");
  EXPECT_EQ(Cpus(), 1u);  // 1.5, rounded down
  Write("cgroup/a/cpu.max", "50000 100000\n");
  EXPECT_EQ(Cpus(), 1u) << "at least one";
}

TEST_F(ForkSafetyTest, ProcessorsByTheOlderGroups) {
  Write("proc/self/cgroup", "4:cpu,cpuacct:/c\n");
  Write("cgroup/cpu/c/cpu.cfs_quota_us", "100000\n");
  Write("cgroup/cpu/c/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Cpus(), 1u);
  Write("cgroup/cpu/c/cpu.cfs_quota_us", "-1\n");
  EXPECT_GE(Cpus(), 1u);
}

}  // namespace
}  // namespace cairn::collector
