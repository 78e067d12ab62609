#include "collector/client/socket_finder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>

#include "collector/client/control_socket.h"
#include "collector/client/target.h"
#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/fake_runtime.h"
#include "tests/collector/client/small_elf.h"

namespace cairn::client {
namespace {

using ::testing::ElementsAre;
using testing::FakeMachine;
using testing::FakeProcess;
using testing::FakeRuntime;

TEST(DiagnosticsName, IsMatchedStrictly) {
  EXPECT_TRUE(IsDiagnosticsName("dotnet-diagnostic-7-4711-socket", 7, 4));
  EXPECT_FALSE(IsDiagnosticsName("dotnet-diagnostic-77-4711-socket", 7, 4));
  EXPECT_FALSE(IsDiagnosticsName("dotnet-diagnostic-7-4711-socket2", 7, 4));
  EXPECT_FALSE(IsDiagnosticsName("dotnet-diagnostic-7--socket", 7, 4));
  EXPECT_FALSE(IsDiagnosticsName("dotnet-diagnostic-7-4711", 7, 4));
  EXPECT_FALSE(IsDiagnosticsName("dotnet-diagnostic-dsrouter-7-4711-socket", 7, 4));
  EXPECT_FALSE(IsDiagnosticsName("clr-debug-pipe-7-4711-in", 7, 4));
}

TEST(DiagnosticsName, MayBeCutAtTheEndOfAnAddress) {
  // Folder of 81, a slash, and 25 characters of name: 107.
  EXPECT_TRUE(IsDiagnosticsName("dotnet-diagnostic-9479-16", 9479, 81));
  EXPECT_FALSE(IsDiagnosticsName("dotnet-diagnostic-9479-16", 9479, 80));
  // 107 - 1 - 33 = 73: cut inside "-socket".
  EXPECT_TRUE(IsDiagnosticsName("dotnet-diagnostic-9479-163570-soc", 9479, 73));
  EXPECT_FALSE(IsDiagnosticsName("dotnet-diagnostic-9479-163570-sxc", 9479, 73));
  // Cut right behind the pid: 107 - 1 - 23 = 83.
  EXPECT_TRUE(IsDiagnosticsName("dotnet-diagnostic-9479-", 9479, 83));
}

TEST(SocketFinder, PrefersTheKnownNumberThenTheNewest) {
  FakeMachine machine;
  machine.Add({});
  std::vector<std::unique_ptr<FakeRuntime>> runtimes;
  const std::vector<std::string> keys = {"1", "4711", "2"};
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string path = machine.Here("/t/dotnet-diagnostic-7-" + keys[i] + "-socket");
    runtimes.push_back(std::make_unique<FakeRuntime>(path));
    const timespec times[2] = {{100 + static_cast<time_t>(i), 0}, {100 + static_cast<time_t>(i), 0}};
    utimensat(AT_FDCWD, path.c_str(), times, 0);
  }
  testing::WriteFile(machine.Here("/t/dotnet-diagnostic-7-3-socket"), "a plain file of that name");
  const auto target = InspectTarget(machine.Machine(), getpid());
  ASSERT_TRUE(target);
  EXPECT_THAT(target->sockets, ElementsAre("dotnet-diagnostic-7-4711-socket", "dotnet-diagnostic-7-2-socket",
                                           "dotnet-diagnostic-7-1-socket"));
}

TEST(SocketFinder, ReachesAFolderTooDeepForAnAddress) {
  FakeMachine machine;
  FakeProcess process;
  process.tmp = "/" + std::string(80, 'd');  // 81 characters
  machine.Add(process);
  // The fake binds through a short name, so the file's name can be as long as the runtime would make it.
  FakeRuntime runtime(machine.Here(process.tmp + "/dotnet-diagnostic-7-471100000"));
  const auto target = InspectTarget(machine.Machine(), getpid());
  ASSERT_TRUE(target);
  // 81 + 1 + 29 = 111 is not how the runtime cuts: only 107 is.
  EXPECT_TRUE(target->sockets.empty());
  FakeRuntime cut(machine.Here(process.tmp + "/dotnet-diagnostic-7-47110"));
  const auto found = InspectTarget(machine.Machine(), getpid());
  ASSERT_TRUE(found);
  ASSERT_THAT(found->sockets, ElementsAre("dotnet-diagnostic-7-47110"));  // 81 + 1 + 25 = 107
  const auto info = AskProcessInfo(found->Socket(), milliseconds(5000));
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->entry_assembly, "shop");
}

TEST(SocketFinder, AnAbsoluteLinkInAContainerStaysInside) {
  FakeMachine machine;
  FakeProcess process;
  process.tmp = "/t";
  machine.Add(process);
  std::filesystem::create_directory(machine.Here("/real"));
  std::filesystem::remove(machine.Here("/t"));
  std::filesystem::create_symlink("/real", machine.Here("/t"));
  FakeRuntime runtime(machine.Here("/real/dotnet-diagnostic-7-4711-socket"));
  const auto target = InspectTarget(machine.Machine(), getpid());
  ASSERT_TRUE(target);
  EXPECT_THAT(target->sockets, ElementsAre("dotnet-diagnostic-7-4711-socket"));
}

TEST(SocketFinder, WithoutTheEnvironmentItLooksInOurOwnFolder) {
  FakeMachine machine;
  FakeProcess process;
  process.readable_environment = false;
  machine.Add(process);
  machine.Machine().own_tmp = "/t";  // resolved below the target's root
  FakeRuntime runtime(machine.Here("/t/dotnet-diagnostic-7-4711-socket"));
  EXPECT_EQ(InspectTarget(machine.Machine(), getpid())->sockets.size(), 1u);
}

TEST(ControlName, IsMatchedStrictly) {
  EXPECT_TRUE(IsControlName("cairn-7-4711-control", 7));
  EXPECT_TRUE(IsControlName("cairn-7-4711-control2", 7));
  EXPECT_FALSE(IsControlName("cairn-7-4711-controls", 7));
  EXPECT_FALSE(IsControlName("cairn-77-4711-control", 7));
  EXPECT_FALSE(IsControlName("cairn-7--control", 7));
  EXPECT_FALSE(IsControlName("cairn-7-4711-capture", 7));
}

}  // namespace
}  // namespace cairn::client
