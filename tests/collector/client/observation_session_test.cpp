#include "collector/client/observation_session.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>
#include <tuple>

#include "collector/client/frame_reader.h"
#include "collector/protocol/occupation.h"
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
  int Detaches() const { return detaches_; }
  // What it does once it observes: wait until its client leaves, hang up, or refuse to go on and hang up.
  std::atomic<bool> hangs_up{false}, refuses{false};
  // What it says of itself before the greeting; none: the greeting only.
  std::optional<protocol::Occupation> occupation;

 private:
  void Serve() {
    for (UniqueFd client(accept(listener_.Get(), nullptr, nullptr)); client;
         client.Reset(accept(listener_.Get(), nullptr, nullptr))) {
      if (occupation) SendFrames(client.Get(), {Say(FrameKind::kObserving, *occupation)});
      protocol::Hello hello;
      hello.runtime_version = version_;
      if (!occupation || occupation->takes_captures) SendFrames(client.Get(), {Say(FrameKind::kHello, hello)});
      FrameReader reader;
      Frame frame;
      const auto got = reader.Read(client.Get(), frame);
      if (got && *got && frame.kind == FrameKind::kCapture) Observe(frame);
      if (got && *got && frame.kind == FrameKind::kDetach) ++detaches_;
    }
  }
  void Observe(const Frame& frame) {
    ++asked_;
    protocol::Options options;
    std::copy(frame.payload.begin(), frame.payload.end(), reinterpret_cast<uint8_t*>(&options));
    const UniqueFd fd(testing::ConnectTo(machine_.Here(options.socket_path)));
    protocol::Hello hello;
    std::copy(std::begin(options.nonce), std::end(options.nonce), hello.nonce);
    std::vector said{Say(FrameKind::kHello, hello), Say(FrameKind::kObserving, protocol::Observing{})};
    if (refuses)
      said.push_back(Say(FrameKind::kRefused, protocol::Refused{"memory.refused", "No memory.", "Free some."}));
    SendFrames(fd.Get(), said);
    pollfd ended{fd.Get(), POLLRDHUP, 0};
    if (!hangs_up && !refuses) poll(&ended, 1, -1);
  }

  const FakeMachine& machine_;
  const std::string version_;
  std::atomic<int> asked_{0}, detaches_{0};
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

// A process with one collector that stayed, and an observation of it.
class ObservationEndTest : public ::testing::Test {
 protected:
  ObservationEndTest() {
    machine_.Add(process_);
    machine_.AddLibrary(testing::MakeElf({3, 62, {}, {}}));
  }
  Result<std::unique_ptr<ObservationSession>> Start() {
    ObservationRequest request;
    request.target.pid = getpid();
    request.kind = protocol::ObserverKind::kEvents;
    request.duration = std::chrono::milliseconds(1);
    return ObservationSession::Start(machine_.Machine(), request, cancel_);
  }
  // How it ended.
  ObservationResult Run() {
    auto session = Start();
    EXPECT_TRUE(session) << session.error().code << session.error().message;
    if (!session) return {};
    is_running_();
    (*session)->OnStopped([this] { ++stops_; });
    const auto result = (*session)->Run([](std::span<const uint8_t>) { return Status(); }, cancel_);
    EXPECT_TRUE(result);
    return result.value_or(ObservationResult());
  }

  FakeMachine machine_;
  FakeProcess process_;
  testing::FakeRuntime runtime_{machine_.Here("/t/dotnet-diagnostic-7-4711-socket")};
  Stayed stayed_{machine_, machine_.Here("/t/cairn-7-4711-control"), "10.0.12"};
  std::function<void()> is_running_ = [] {};
  const std::atomic<bool> cancel_{false};
  int stops_ = 0;
};

TEST_F(ObservationEndTest, OfAProcessThatLivesIsACutConnection) {
  stayed_.hangs_up = true;
  const ObservationResult result = Run();
  EXPECT_EQ(result.ending, ObservationEnding::kCutOff);
  EXPECT_TRUE(result.is_cut);
  EXPECT_NE(WhyCut(result).find("broke"), std::string::npos) << WhyCut(result);
  EXPECT_EQ(ErrorOfCut(result).code, "observe.cut");
}

TEST(ObservationResultTest, SaysThatNothingWasTakenWhereThatIsTheReason) {
  ObservationResult result;
  result.ending = ObservationEnding::kCutOff;
  result.was_away = true;
  EXPECT_NE(WhyCut(result).find("was cairn stopped"), std::string::npos) << WhyCut(result);
}

// What came before stays, and the reason is the collector's own.
TEST_F(ObservationEndTest, OfACollectorThatGivesUpIsItsRefusal) {
  stayed_.refuses = true;
  const ObservationResult result = Run();
  EXPECT_EQ(result.ending, ObservationEnding::kRefused);
  EXPECT_TRUE(result.is_cut);
  EXPECT_EQ(WhyCut(result), "No memory. What happened since then is missing.");
  EXPECT_EQ(ErrorOfCut(result).code, "memory.refused");
}

TEST_F(ObservationEndTest, OfAProcessThatIsGoneIsItsEnd) {
  stayed_.hangs_up = true;
  is_running_ = [this] { machine_.Remove(getpid()); };
  const ObservationResult result = Run();
  EXPECT_EQ(result.ending, ObservationEnding::kTargetExited);
  EXPECT_TRUE(result.is_cut);
  EXPECT_EQ(ErrorOfCut(result).code, "target.exited");
}

// It is not waited for, and whoever watches is told why nothing comes.
TEST_F(ObservationEndTest, OfAStoppedProcessComesAtItsTime) {
  is_running_ = [this] {
    process_.state = 'T';
    machine_.Add(process_);
  };
  const ObservationResult result = Run();
  EXPECT_EQ(result.ending, ObservationEnding::kTargetStopped);
  EXPECT_TRUE(result.is_cut);
  EXPECT_EQ(stops_, 1);
}

// What goes on is named, with what ends it: a detach would not end a trace.
TEST_F(ObservationEndTest, IsNotWaitedForWhereAnotherObserves) {
  using protocol::ObserverKind;
  const std::string pid = std::to_string(getpid());
  for (const auto& [kind, says, hint] :
       {std::tuple{ObserverKind::kEvents, "cairn log watches process " + pid, "cairn detach " + pid},
        std::tuple{ObserverKind::kMethods, "cairn trace logs methods of process " + pid,
                   "cairn trace " + pid + " --undo"},
        std::tuple{ObserverKind::kAllocations, "cairn samples the allocations of process " + pid,
                   "cairn detach " + pid}}) {
    stayed_.occupation = protocol::Occupation{kind, kind == ObserverKind::kMethods, false};
    const auto session = Start();
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, "attach.resident");
    EXPECT_NE(session.error().message.find(says), std::string::npos) << session.error().message;
    EXPECT_NE(session.error().hint.find(hint), std::string::npos) << session.error().hint;
  }
  EXPECT_EQ(stayed_.Asked(), 0);
}

// Asked to end a trace, it leaves everything else alone.
TEST_F(ObservationEndTest, OfATraceIsNoOtherOnes) {
  stayed_.occupation = protocol::Occupation{protocol::ObserverKind::kEvents, false, false};
  const auto ended = EndTrace(machine_.Machine(), getpid());
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_FALSE(*ended);
  EXPECT_EQ(stayed_.Detaches(), 0);
}

}  // namespace
}  // namespace cairn::client
