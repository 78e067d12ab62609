#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <thread>

#include "collector/client/checks.h"
#include "collector/client/control_socket.h"
#include "collector/client/doctor.h"
#include "collector/client/frame_reader.h"
#include "collector/client/on_machine.h"
#include "collector/client/posix.h"
#include "tests/collector/client/fake_collector.h"
#include "tests/collector/client/fake_machine.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;
using testing::FakeMachine;
using testing::FakeProcess;
using testing::Say;
using testing::SendFrames;

// A collector that stayed: the first connection only looks whether somebody listens, the second speaks.
class Resident {
 public:
  Resident(const std::string& path, std::function<void(int, const Frame&)> answer, bool greets = false)
      : greets_(greets) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    listener_.Reset(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (bind(listener_.Get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::abort();
    if (listen(listener_.Get(), 8) != 0) std::abort();
    thread_ = std::thread([this, answer] { Serve(answer); });
  }
  ~Resident() {
    shutdown(listener_.Get(), SHUT_RDWR);
    thread_.join();
  }

 private:
  void Serve(const std::function<void(int, const Frame&)>& answer) {
    for (;;) {
      const UniqueFd connection(accept(listener_.Get(), nullptr, nullptr));
      if (!connection) return;
      if (greets_) SendFrames(connection.Get(), {Say(FrameKind::kHello, protocol::Hello{})});
      FrameReader reader;
      Frame frame;
      const auto got = reader.Read(connection.Get(), frame);
      if (got && *got) answer(connection.Get(), frame);
    }
  }
  const bool greets_;
  UniqueFd listener_;
  std::thread thread_;
};

class DetachTest : public ::testing::Test {
 protected:
  DetachTest() { machine_.Add({}); }
  std::string Control() const { return machine_.Here("/t/cairn-7-4711-control"); }
  std::string Code() {
    const auto result = DetachOn(machine_.Machine(), getpid());
    return result ? "" : result.error().code;
  }
  FakeMachine machine_;
};

TEST_F(DetachTest, AsksAndWaits) {
  FrameKind asked{};
  Resident resident(Control(), [&](int fd, const Frame& frame) {
    asked = frame.kind;
    SendFrames(fd, {Say(FrameKind::kState, protocol::State{}), Say(FrameKind::kDetached, protocol::Detached{})});
  });
  const auto result = DetachOn(machine_.Machine(), getpid());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->pid, getpid());
  EXPECT_TRUE(result->detached);
  EXPECT_EQ(asked, FrameKind::kDetach);
}

TEST_F(DetachTest, NobodyStayed) { EXPECT_EQ(Code(), "detach.none"); }

TEST_F(DetachTest, NoSuchProcess) {
  const auto result = DetachOn(machine_.Machine(), 99);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "target.not_found");
}

TEST_F(DetachTest, OneThatCannotLeaveSaysSo) {
  Resident resident(Control(), [](int fd, const Frame&) {
    SendFrames(fd, {Say(FrameKind::kHello, protocol::Hello{}),
                    Say(FrameKind::kRefused, protocol::Refused{"observe.stays", "It stays.", "wait"})});
  });
  EXPECT_EQ(Code(), "observe.stays");
}

// Neither says how it came there: loaded at the start, or attached for a trace.
TEST_F(DetachTest, WhatOneThatTakesCapturesTakesIsSaidByPsAndDoctor) {
  Resident resident(
      Control(), [](int, const Frame&) {}, true);
  const auto processes = ListProcessesOn(machine_.Machine());
  ASSERT_TRUE(processes);
  ASSERT_EQ(processes->size(), 1u);
  EXPECT_EQ(processes->front().reason, "with --light or --gc full only, by the collector that stays loaded");
  Probe start_up;
  for (const Probe& probe : DiagnoseOn(machine_.Machine(), getpid()))
    if (probe.name == "start-up") start_up = probe;
  EXPECT_TRUE(start_up.ok);
  EXPECT_EQ(start_up.detail,
            "A collector stays loaded, and takes captures at /t/cairn-7-4711-control with --light or --gc full only.");
  EXPECT_EQ(start_up.remedy, "Pass --light.");  // it has no socket
}

// `cairn detach` is of use only for one that was loaded at the start: a trace's can never leave.
TEST(CheckResidentRequest, NamesOnlyRemediesThatWork) {
  Target target;
  target.pid = 42;
  target.sockets = {"dotnet-diagnostic-42-1-socket"};
  target.environment = std::vector<std::string>{"PATH=/bin"};
  EXPECT_TRUE(CheckResidentRequest(target, protocol::GcRequest::kFull));
  const auto hint = [&] { return CheckResidentRequest(target, protocol::GcRequest::kYoung).error().hint; };
  EXPECT_EQ(hint(), "Pass --light or --gc full.");
  target.environment->push_back("CORECLR_ENABLE_PROFILING=1");
  target.environment->push_back("CORECLR_PROFILER={8C3A1E52-6B0D-4F57-9E4B-C41A12DD5A01}");
  EXPECT_EQ(hint(), "Pass --light or --gc full, or end that collector first with: cairn detach 42.");
  EXPECT_EQ(CheckResidentRequest(target, protocol::GcRequest::kYoung, true).error().hint, "Pass --light or --gc full.")
      << "loaded at the start, for a trace";
  target.sockets.clear();  // after a detach nothing could be attached again
  EXPECT_EQ(hint(), "Pass --light.");
}

TEST_F(DetachTest, HangsUpWithoutAWord) {
  Resident resident(Control(), [](int, const Frame&) {});
  EXPECT_EQ(Code(), "detach.no_answer");
}

// Where its own variable put the socket.
TEST_F(DetachTest, InTheFolderOfItsVariable) {
  FakeProcess process;
  process.environment = {"CAIRN_CONTROL_DIR=/c"};
  machine_.Add(process);
  std::filesystem::create_directory(machine_.Here("/c"));
  Resident resident(machine_.Here("/c/cairn-7-4711-control"),
                    [](int fd, const Frame&) { SendFrames(fd, {Say(FrameKind::kDetached, protocol::Detached{})}); });
  EXPECT_EQ(Code(), "");
}

// Each runtime of the process has one.
TEST_F(DetachTest, AllThatStayed) {
  unsigned asked = 0;
  const auto leave = [&](int fd, const Frame&) {
    ++asked;
    SendFrames(fd, {Say(FrameKind::kDetached, protocol::Detached{})});
  };
  Resident first(Control(), leave), second(Control() + "2", leave);
  EXPECT_EQ(Code(), "");
  EXPECT_EQ(asked, 2u);
}

// Somebody else listens under the name of another process's collector.
TEST_F(DetachTest, AnotherProcessIsNotBelieved) {
  FakeProcess process;
  process.pid = 1;
  machine_.Add(process);
  Resident resident(Control(),
                    [](int fd, const Frame&) { SendFrames(fd, {Say(FrameKind::kDetached, protocol::Detached{})}); });
  const auto result = DetachOn(machine_.Machine(), 1);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "detach.none");
}

// Else anybody could keep captures away from a process whose temporary folder is for all.
TEST_F(DetachTest, OnlyTheTargetsOwnSocketIsACollectorThatStayed) {
  FakeProcess other;
  other.pid = 1;
  machine_.Add(other);
  Resident resident(Control(), [](int, const Frame&) {});
  const auto own = InspectTarget(machine_.Machine(), getpid()), foreign = InspectTarget(machine_.Machine(), 1);
  ASSERT_TRUE(own && foreign);
  EXPECT_TRUE(HasResident(*own));
  EXPECT_FALSE(HasResident(*foreign));
}

}  // namespace
}  // namespace cairn::client
