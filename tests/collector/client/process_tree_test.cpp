#include "collector/client/process_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "collector/client/unix_socket.h"
#include "tests/collector/client/fake_machine.h"

namespace cairn::client {
namespace {

using ::testing::ElementsAre;
using testing::FakeMachine;
using testing::FakeProcess;

class ProcessTreeTest : public ::testing::Test {
 protected:
  void Add(int64_t pid, int64_t parent, const std::string& executable, bool with_socket,
           std::vector<std::string> environment = {}) {
    FakeProcess process;
    process.pid = process.inner_pid = pid;
    process.tmp = "/t";
    process.executable = executable;
    process.command_line = {executable};
    process.environment = std::move(environment);
    process.environment.push_back("TMPDIR=/t");
    machine.Add(process);
    std::ofstream(machine.Machine().proc.Path(pid, "stat"))
        << pid << " (x) S " << parent << " 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 4711 0\n";
    if (!with_socket) return;
    sockets.push_back(ListenBelow(-1, machine.Here("/t/dotnet-diagnostic-" + std::to_string(pid) + "-4711-socket")));
  }
  int64_t Found(const std::string& name) {
    const auto found = FindWatched(machine.Machine(), 10, name);
    return found ? found->pid : 0;
  }

  FakeMachine machine;
  std::vector<UniqueFd> sockets;
};

TEST_F(ProcessTreeTest, ParentsBeforeChildren) {
  Add(10, 1, "/bin/sh", false);
  Add(30, 10, "/bin/a", false);
  Add(20, 30, "/bin/b", false);
  Add(40, 10, "/bin/c", false);
  Add(50, 1, "/bin/stranger", false);
  EXPECT_THAT(ProcessTree(machine.Machine().proc, 10), ElementsAre(10, 30, 40, 20));
  EXPECT_THAT(ProcessTree(machine.Machine().proc, 99), ElementsAre(99));
}

TEST_F(ProcessTreeTest, TheFirstThatListensOrTheOneNamed) {
  Add(10, 1, "/bin/sh", false);
  EXPECT_EQ(Found(""), 0);
  Add(20, 10, "/usr/bin/builder", true);
  Add(30, 20, "/app/shop", true);
  Add(40, 10, "/app/other", false);
  EXPECT_EQ(Found(""), 20);
  EXPECT_EQ(Found("shop"), 30);
  EXPECT_EQ(Found("other"), 0);  // does not listen
  EXPECT_EQ(Found("nobody"), 0);
}

// A process that has not come up yet, with the file of an earlier one of the same number beside it.
TEST_F(ProcessTreeTest, TheSocketOfAnEarlierProcessDoesNotCount) {
  Add(10, 1, "/bin/sh", false);
  Add(20, 10, "/app/shop", true);
  EXPECT_EQ(Found(""), 20);
  sockets.clear();
  EXPECT_EQ(Found(""), 0);
  sockets.push_back(ListenBelow(-1, machine.Here("/t/dotnet-diagnostic-20-4712-socket")));
  EXPECT_EQ(Found(""), 20);
}

TEST_F(ProcessTreeTest, SwitchesThatKeepItFromListening) {
  Add(10, 1, "/bin/sh", false);
  Add(20, 10, "/app/shop", false, {"DOTNET_EnableDiagnostics=0"});
  const Status off = CheckTreeSwitches(machine.Machine(), 10, "");
  ASSERT_FALSE(off);
  EXPECT_EQ(off.error().code, "target.diagnostics_off");
  EXPECT_NE(off.error().message.find("DOTNET_EnableDiagnostics=0"), std::string::npos);
  EXPECT_TRUE(CheckTreeSwitches(machine.Machine(), 10, "another"));
}

}  // namespace
}  // namespace cairn::client
