#include "collector/client/observation_session.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "collector/client/frame_reader.h"
#include "tests/collector/client/fake_collector.h"
#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/fake_runtime.h"
#include "tests/collector/client/small_elf.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;
using testing::FakeMachine;
using testing::FakeProcess;
using testing::Say;
using testing::SendFrames;

// A collector that stayed, of one runtime, in a folder of its own: greets, and observes where it is asked to.
class Stayed {
 public:
  Stayed(const FakeMachine& machine, const std::string& path, std::string version)
      : machine_(machine), version_(std::move(version)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    listener_.Reset(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (bind(listener_.Get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::abort();
    if (listen(listener_.Get(), 8) != 0) std::abort();
    thread_ = std::thread([this] { Serve(); });
  }
  ~Stayed() {
    shutdown(listener_.Get(), SHUT_RDWR);
    thread_.join();
  }
  int Asked() const { return asked_; }

 private:
  void Serve() {
    for (UniqueFd client(accept(listener_.Get(), nullptr, nullptr)); client;
         client.Reset(accept(listener_.Get(), nullptr, nullptr))) {
      protocol::Hello hello;
      hello.runtime_version = version_;
      SendFrames(client.Get(), {Say(FrameKind::kHello, hello)});
      FrameReader reader;
      Frame frame;
      const auto got = reader.Read(client.Get(), frame);
      if (got && *got && frame.kind == FrameKind::kCapture) Observe(frame);
    }
  }
  void Observe(const Frame& frame) {
    ++asked_;
    protocol::Options options;
    std::copy(frame.payload.begin(), frame.payload.end(), reinterpret_cast<uint8_t*>(&options));
    const UniqueFd fd(testing::ConnectTo(machine_.Here(options.socket_path)));
    protocol::Hello hello;
    std::copy(std::begin(options.nonce), std::end(options.nonce), hello.nonce);
    SendFrames(fd.Get(), {Say(FrameKind::kHello, hello), Say(FrameKind::kObserving, protocol::Observing{})});
    pollfd ended{fd.Get(), POLLRDHUP, 0};
    poll(&ended, 1, -1);
  }

  const FakeMachine& machine_;
  const std::string version_;
  std::atomic<int> asked_{0};
  UniqueFd listener_;
  std::thread thread_;
};

// The socket may lie in the folder that CAIRN_CONTROL_DIR names, and there is one for each runtime.
TEST(ObservationOfOneThatStayedTest, IsAskedOfTheChosenRuntimeWhereverItsSocketLies) {
  FakeMachine machine;
  FakeProcess process;
  process.environment = {"CAIRN_CONTROL_DIR=/c"};
  machine.Add(process);
  machine.AddLibrary(testing::MakeElf({3, 62, {}, {}}));
  std::filesystem::create_directory(machine.Here("/c"));
  testing::FakeRuntime runtime(machine.Here("/t/dotnet-diagnostic-7-4711-socket"));
  Stayed nine(machine, machine.Here("/c/cairn-7-4711-control"), "9.0.1");
  Stayed ten(machine, machine.Here("/c/cairn-7-4711-control2"), "10.0.12");
  ObservationRequest request;
  request.target.pid = getpid();
  request.kind = protocol::ObserverKind::kMethods;
  request.runtime = "one=10";
  const std::atomic<bool> cancel{false};
  auto session = ObservationSession::Start(machine.Machine(), request, cancel);
  ASSERT_TRUE(session) << session.error().code << session.error().message;
  EXPECT_EQ(nine.Asked(), 0);
  EXPECT_EQ(ten.Asked(), 1);
}

}  // namespace
}  // namespace cairn::client
