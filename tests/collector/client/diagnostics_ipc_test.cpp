#include "collector/client/diagnostics_ipc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "collector/client/attach.h"
#include "collector/client/checks.h"
#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/fake_runtime.h"

namespace cairn::client {
namespace {

using ::testing::ElementsAre;
using testing::FakeMachine;
using testing::FakeProcess;
using testing::FakeRuntime;
using Manner = FakeRuntime::Manner;

constexpr milliseconds kPlenty{20000};

class DiagnosticsIpcTest : public ::testing::Test {
 protected:
  DiagnosticsIpcTest() { machine_.Add({}); }
  IpcAddress Address() { return {-1, machine_.Here("/t/dotnet-diagnostic-7-4711-socket")}; }
  std::string CodeOf(milliseconds timeout = kPlenty) {
    const auto info = AskProcessInfo(Address(), timeout);
    return info ? "" : info.error().code;
  }
  FakeMachine machine_;
  FakeRuntime runtime_{machine_.Here("/t/dotnet-diagnostic-7-4711-socket")};
};

TEST_F(DiagnosticsIpcTest, AsksTheNewestFirst) {
  pid_t peer = 0;
  const auto info = AskProcessInfo(Address(), kPlenty, &peer);
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->rid, "linux-x64");
  EXPECT_EQ(peer, getpid());
  EXPECT_THAT(runtime_.Commands(), ElementsAre(4, 8));
}

// A socket may change hands between the questions and the attach: who listens now is asked to load nothing.
TEST_F(DiagnosticsIpcTest, AttachesToNoOtherProcessThanTheTarget) {
  Attach other(Address(), getpid() + 1, "/lib.so", {});
  const Status refused = other.Advance();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "target.no_socket");
  EXPECT_EQ(refused.error().message,
            "Another process than " + std::to_string(getpid() + 1) + " listens on its diagnostics socket now.");
  EXPECT_EQ(other.Tries(), 0u);
  ASSERT_TRUE(AskProcessInfo(Address(), kPlenty));      // whatever came before it has been read by now
  EXPECT_THAT(runtime_.Commands(), ElementsAre(4, 8));  // these questions and no attach
  Attach attach(Address(), getpid(), "/lib.so", {});
  EXPECT_TRUE(attach.Advance());
  EXPECT_EQ(attach.Now(), Attach::State::kAsked);
}

TEST_F(DiagnosticsIpcTest, FallsBackOneByOne) {
  runtime_.info_version = 2;
  EXPECT_EQ(AskProcessInfo(Address(), kPlenty)->version, "10.0.12");
  runtime_.info_version = 1;
  EXPECT_EQ(AskProcessInfo(Address(), kPlenty)->version, "");
  EXPECT_THAT(runtime_.Commands(), ElementsAre(4, 8, 4, 4, /**/ 4, 8, 4, 4, 4, 0));
  runtime_.info_version = 0;
  EXPECT_EQ(CodeOf(), "ipc.unknown_command");
}

TEST_F(DiagnosticsIpcTest, NoAnswer) {
  runtime_.manner = Manner::kSilent;
  EXPECT_EQ(CodeOf(milliseconds(50)), "target.not_responding");
}

TEST_F(DiagnosticsIpcTest, HangsUp) {
  runtime_.manner = Manner::kHangUp;
  EXPECT_EQ(CodeOf(), "ipc.closed");
}

TEST_F(DiagnosticsIpcTest, SpeaksAnotherLanguage) {
  runtime_.manner = Manner::kGarbage;
  const std::string code = CodeOf();
  // The connection may be reset while the garbage is still unread.
  EXPECT_TRUE(code == "ipc.bad_answer" || code == "ipc.closed") << code;
}

TEST_F(DiagnosticsIpcTest, NoSuchSocket) {
  const auto info = AskProcessInfo({-1, machine_.Here("/t/nothing")}, kPlenty);
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, "target.no_socket");
}

TEST_F(DiagnosticsIpcTest, AskTargetKnowsARuntimeOlderThanTheQuestion) {
  runtime_.info_version = 0;
  auto target = InspectTarget(machine_.Machine(), getpid());
  ASSERT_TRUE(target);
  const auto info = AskTarget(*target, kPlenty);
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->version, "");
}

// A socket file whose process is gone, newer than the real one: refused, and the next one is asked.
TEST_F(DiagnosticsIpcTest, AskTargetPassesOverStaleSockets) {
  const std::string stale = machine_.Here("/t/dotnet-diagnostic-7-9999-socket");
  {
    const UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    stale.copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(bind(fd.Get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  FakeProcess process;
  process.start_time = 9999;  // even its number is the one expected
  machine_.Add(process);
  auto target = InspectTarget(machine_.Machine(), getpid());
  ASSERT_TRUE(target);
  ASSERT_EQ(target->sockets.size(), 2u);
  ASSERT_EQ(target->sockets.front(), "dotnet-diagnostic-7-9999-socket");
  const auto info = AskTarget(*target, kPlenty);
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_THAT(target->sockets, ElementsAre("dotnet-diagnostic-7-4711-socket"));
}

// Another process answers on the socket: its pid is not the target's.
TEST_F(DiagnosticsIpcTest, AskTargetIsNotFooledByAnotherProcess) {
  FakeProcess process;
  process.pid = 1;
  machine_.Add(process);
  auto target = InspectTarget(machine_.Machine(), 1);
  ASSERT_TRUE(target);
  const auto info = AskTarget(*target, kPlenty);
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, "target.no_socket");
}

}  // namespace
}  // namespace cairn::client
