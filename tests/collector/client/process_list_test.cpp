#include "collector/client/process_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collector/client/on_machine.h"
#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/fake_runtime.h"
#include "tests/collector/client/small_elf.h"

namespace cairn::client {
namespace {

using testing::FakeMachine;
using testing::FakeProcess;
using testing::FakeRuntime;
using ::testing::HasSubstr;

class ProcessListTest : public ::testing::Test {
 protected:
  ProcessListTest() {
    machine_.Add({});
    FakeProcess other;
    other.pid = 1;
    other.inner_pid = 1;
    other.executable = "/usr/bin/sleep";
    other.mapped = {};
    other.command_line = {"/usr/bin/sleep", "10"};
    machine_.Add(other);
  }
  std::string Code(const TargetName& name) {
    const auto pid = ResolveTargetOn(machine_.Machine(), name);
    return pid ? std::to_string(*pid) : pid.error().code;
  }
  FakeMachine machine_;
  FakeRuntime runtime_{machine_.Here("/t/dotnet-diagnostic-7-4711-socket")};
};

TEST_F(ProcessListTest, ListsDotnetOnly) {
  const auto processes = ListProcessesOn(machine_.Machine());
  ASSERT_TRUE(processes);
  ASSERT_EQ(processes->size(), 1u);
  const ProcessInfo& info = processes->front();
  EXPECT_EQ(info.pid, getpid());
  EXPECT_EQ(info.name, "shop");
  EXPECT_EQ(info.runtime, "10.0.12");
  EXPECT_EQ(info.architecture, "x64");
  EXPECT_EQ(info.command_line, "/usr/bin/dotnet /app/shop.dll --fast");
  EXPECT_GT(info.rss_bytes, 0u);
  EXPECT_TRUE(info.attachable);
  EXPECT_EQ(info.reason, std::nullopt);
}

TEST_F(ProcessListTest, SaysWhyNot) {
  FakeProcess process;
  process.state = 'T';
  machine_.Add(process);
  const auto processes = ListProcessesOn(machine_.Machine());
  ASSERT_EQ(processes->size(), 1u);
  EXPECT_FALSE(processes->front().attachable);
  EXPECT_THAT(*processes->front().reason, HasSubstr("stopped"));
  EXPECT_EQ(processes->front().runtime, "10.0.12");  // from the runtime's folder: it was not asked
}

// More than are looked at at once.
TEST_F(ProcessListTest, ManyAreListedInOrder) {
  for (int number = 0; number < 40; ++number) {
    FakeProcess process;
    process.pid = 20 + number;
    process.inner_pid = 100 + number;
    process.state = number % 2 == 0 ? 'T' : 'S';
    machine_.Add(process);
  }
  const auto processes = ListProcessesOn(machine_.Machine());
  ASSERT_TRUE(processes);
  ASSERT_EQ(processes->size(), 41u);
  for (int number = 0; number < 40; ++number) {
    const ProcessInfo& info = (*processes)[number];
    EXPECT_EQ(info.pid, 20 + number);
    EXPECT_FALSE(info.attachable);
    EXPECT_EQ(info.reason.value_or("").find("stopped") != std::string::npos, number % 2 == 0) << *info.reason;
  }
  EXPECT_TRUE(processes->back().attachable);
}

TEST_F(ProcessListTest, ResolvesEveryKindOfName) {
  const std::string own = std::to_string(getpid());
  EXPECT_EQ(Code({getpid(), "", ""}), own);
  EXPECT_EQ(Code({std::nullopt, "shop", ""}), own);
  EXPECT_EQ(Code({std::nullopt, "dotnet", ""}), own);
  EXPECT_EQ(Code({std::nullopt, "", machine_.Here("/t/dotnet-diagnostic-7-4711-socket")}), own);
  EXPECT_EQ(Code({99, "", ""}), "target.not_found");
  EXPECT_EQ(Code({std::nullopt, "sleep", ""}), "target.missing");
  EXPECT_EQ(Code({std::nullopt, "", ""}), "target.unnamed");
  EXPECT_EQ(Code({std::nullopt, "", machine_.Here("/t/none")}), "target.no_socket");
}

TEST_F(ProcessListTest, SeveralMatchesAreListed) {
  FakeProcess second;
  second.pid = 5;
  second.inner_pid = 8;
  machine_.Add(second);
  const auto pid = ResolveTargetOn(machine_.Machine(), {std::nullopt, "shop", ""});
  ASSERT_FALSE(pid);
  EXPECT_EQ(pid.error().code, "target.ambiguous");
  EXPECT_EQ(pid.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(pid.error().message, HasSubstr("5, " + std::to_string(getpid())));
}

TEST(ProcessList, WorksOnTheRealMachine) {
  // Nothing is expected of what runs here but that looking does not fail.
  EXPECT_TRUE(ListProcesses());
}

}  // namespace
}  // namespace cairn::client
