#include "collector/client/proc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "collector/client/target.h"
#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/small_elf.h"

namespace cairn::client {
namespace {

using ::testing::ElementsAre;
using testing::FakeMachine;
using testing::FakeProcess;

TEST(Proc, ReadsAProcess) {
  FakeMachine machine;
  FakeProcess process;
  process.pid = 1234;
  process.inner_pid = 7;
  process.environment = {"A=b", "AB=c=d"};
  machine.Add(process);
  const ProcFs& proc = machine.Machine().proc;
  EXPECT_THAT(proc.Pids(), ElementsAre(1234));
  const auto status = proc.Status(1234);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->inner_pid, 7);
  EXPECT_EQ(status->state, 'S');
  EXPECT_EQ(status->uid, geteuid());
  EXPECT_EQ(proc.StartTime(1234), 4711u);  // the command is "a b) c": counted from the last bracket
  EXPECT_THAT(proc.CommandLine(1234), ElementsAre("/usr/bin/dotnet", "/app/shop.dll", "--fast"));
  EXPECT_EQ(FindVariable(*proc.Environment(1234), "AB"), "c=d");
  EXPECT_EQ(FindVariable(*proc.Environment(1234), "B"), std::nullopt);
  EXPECT_EQ(proc.ResidentBytes(1234), 250u * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
  ASSERT_EQ(proc.Maps(1234)->size(), 2u);
  EXPECT_EQ(proc.Maps(1234)->at(0).path, "/lib/x86_64-linux-gnu/libc.so.6");
  EXPECT_EQ(proc.Maps(1234)->at(0).inode, 102u);
}

TEST(Proc, OneNumberOfNspidIsThePidItself) {
  FakeMachine machine;
  FakeProcess process;
  process.pid = process.inner_pid = 55;
  machine.Add(process);
  EXPECT_EQ(machine.Machine().proc.Status(55)->inner_pid, 55);
}

TEST(Proc, WhatVanishedIsAnEmptyAnswer) {
  FakeMachine machine;
  const ProcFs& proc = machine.Machine().proc;
  EXPECT_FALSE(proc.Exists(99));
  EXPECT_FALSE(proc.Status(99));
  EXPECT_FALSE(proc.StartTime(99));
  EXPECT_FALSE(proc.Environment(99));
  EXPECT_FALSE(proc.Maps(99));
  EXPECT_TRUE(proc.CommandLine(99).empty());
  EXPECT_EQ(proc.ResidentBytes(99), 0u);
  EXPECT_FALSE(InspectTarget(machine.Machine(), 99));
}

TEST(Proc, CutFilesAreEmptyAnswers) {
  FakeMachine machine;
  FakeProcess process;
  process.pid = 8;
  machine.Add(process);
  testing::WriteFile(machine.File("proc/8/stat"), "8 (x) S 1 2 3");
  testing::WriteFile(machine.File("proc/8/status"), "Name:\tx\n");
  EXPECT_FALSE(machine.Machine().proc.StartTime(8));
  EXPECT_FALSE(machine.Machine().proc.Status(8));
}

TEST(Proc, MemoryLimitIsTheSmallestUpwards) {
  FakeMachine machine;
  FakeProcess process;
  process.pid = 8;
  machine.Add(process);
  testing::WriteFile(machine.File("proc/8/cgroup"), "0::/pod/shop\n");
  std::filesystem::create_directories(machine.File("cgroup/pod/shop"));
  const auto limit = [&] { return machine.Machine().proc.MemoryLimit(8, machine.File("cgroup")); };
  EXPECT_EQ(limit(), std::nullopt);
  testing::WriteFile(machine.File("cgroup/pod/shop/memory.max"), "max\n");
  EXPECT_EQ(limit(), std::nullopt);
  testing::WriteFile(machine.File("cgroup/pod/memory.max"), "1000\n");
  EXPECT_EQ(limit(), 1000u);
  testing::WriteFile(machine.File("cgroup/pod/shop/memory.max"), "5000\n");
  EXPECT_EQ(limit(), 1000u);
}

TEST(Proc, MemoryLimitOfTheFirstCgroupVersion) {
  FakeMachine machine;
  FakeProcess process;
  process.pid = 8;
  machine.Add(process);
  testing::WriteFile(machine.File("proc/8/cgroup"), "5:cpu,cpuacct:/x\n4:memory:/shop\n");
  std::filesystem::create_directories(machine.File("cgroup/memory/shop"));
  testing::WriteFile(machine.File("cgroup/memory/shop/memory.limit_in_bytes"), "9223372036854771712\n");
  EXPECT_EQ(machine.Machine().proc.MemoryLimit(8, machine.File("cgroup")), std::nullopt);
  testing::WriteFile(machine.File("cgroup/memory/shop/memory.limit_in_bytes"), "4096\n");
  EXPECT_EQ(machine.Machine().proc.MemoryLimit(8, machine.File("cgroup")), 4096u);
}

// As container runtimes name them where systemd does not: "kubepods.slice:cri-containerd:ID".
TEST(Proc, TheNameOfACgroupMayHoldColons) {
  FakeMachine machine;
  FakeProcess process;
  process.pid = 8;
  machine.Add(process);
  testing::WriteFile(machine.File("proc/8/cgroup"), "0::/pod.slice:cri:shop\n");
  std::filesystem::create_directories(machine.File("cgroup/pod.slice:cri:shop"));
  testing::WriteFile(machine.File("cgroup/pod.slice:cri:shop/memory.max"), "1000\n");
  EXPECT_EQ(machine.Machine().proc.MemoryLimit(8, machine.File("cgroup")), 1000u);
}

TEST(Target, NamesComeFromTheBestSource) {
  FakeMachine machine;
  FakeProcess process;
  process.pid = 8;
  machine.Add(process);
  const auto dotnet = InspectTarget(machine.Machine(), 8);
  ASSERT_TRUE(dotnet);
  EXPECT_EQ(NameOf(*dotnet, "Shop.Web"), "Shop.Web");
  EXPECT_EQ(NameOf(*dotnet), "shop");  // dotnet /app/shop.dll
  EXPECT_EQ(RuntimeVersionOf(*dotnet), "10.0.12");
  process.executable = "/app/till";
  machine.Add(process);
  EXPECT_EQ(NameOf(*InspectTarget(machine.Machine(), 8)), "till");
}

// .NET Core 3.1 does not say over its socket which one it is.
TEST(Target, ASelfContainedApplicationNamesItsRuntime) {
  FakeMachine machine;
  FakeProcess process;
  process.pid = 8;
  process.mapped = {"/4.app/libcoreclr.so"};  // no version, for all its figures
  machine.Add(process);
  std::filesystem::create_directories(machine.Here("/4.app"));
  EXPECT_EQ(RuntimeVersionOf(*InspectTarget(machine.Machine(), 8)), "");
  testing::WriteFile(machine.Here("/4.app/shop.deps.json"),
                     R"({"dependencies":{"runtimepack.Microsoft.NETCore.App.Runtime.linux-x64":"3.1.3"},)"
                     R"("libraries":{"runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/3.1.3":{}}})");
  EXPECT_EQ(RuntimeVersionOf(*InspectTarget(machine.Machine(), 8)), "3.1.3");
  testing::WriteFile(machine.Here("/4.app/shop.deps.json"), "\"Microsoft.NETCore.App.Runtime.linux\"");
  EXPECT_EQ(RuntimeVersionOf(*InspectTarget(machine.Machine(), 8)), "");
}

TEST(Target, KnowsItsLibc) {
  FakeMachine machine;
  FakeProcess process;
  process.pid = 8;
  const auto libc = [&](std::vector<std::string> mapped) {
    process.mapped = std::move(mapped);
    machine.Add(process);
    return LibcOf(*InspectTarget(machine.Machine(), 8));
  };
  EXPECT_EQ(libc({"/lib/x86_64-linux-gnu/libc.so.6"}), Libc::kGlibc);
  EXPECT_EQ(libc({"/lib/x86_64-linux-gnu/libc-2.31.so"}), Libc::kGlibc);
  EXPECT_EQ(libc({"/lib/ld-musl-x86_64.so.1"}), Libc::kMusl);
  EXPECT_EQ(libc({"/usr/lib/x86_64-linux-musl/libc.so"}), Libc::kMusl);
  EXPECT_EQ(libc({"/app/libclrjit.so"}), Libc::kUnknown);
}

TEST(Target, ZombiesAreGone) {
  FakeMachine machine;
  FakeProcess process;
  process.pid = 8;
  process.state = 'Z';
  machine.Add(process);
  const auto target = InspectTarget(machine.Machine(), 8);
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().code, "target.not_found");
}

}  // namespace
}  // namespace cairn::client
