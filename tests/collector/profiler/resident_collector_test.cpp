// Loaded at start-up: the collector stays until it is told to leave.

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "collector/capture/client_channel.h"
#include "collector/protocol/messages.h"
#include "snapshot-format/stream/records.h"
#include "tests/collector/capture/fake_runtime.h"
#include "tests/collector/capture/sent_frame.h"
#include "tests/collector/profiler/loaded_library.h"

namespace cairn::collector {
namespace {

namespace fs = std::filesystem;

// The library keeps one resident collector for the life of the process, so one test tells its whole story.
class ResidentCollectorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cairn-resident-XXXXXX";
    folder_ = mkdtemp(name);
    setenv("CAIRN_CONTROL_DIR", folder_.c_str(), 1);
    profiler_ = CreateProfiler();
    runtime_.detach_answer = abi::kErrorProfilerCancelActivation;  // any failure
  }
  void TearDown() override {
    if (detacher_.joinable()) detacher_.join();
    profiler_->Release();
    fs::remove_all(folder_);
  }
  std::vector<std::string> Sockets() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    return names;
  }
  int Connect(const std::string& name) const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, (folder_ + "/" + name).c_str());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return socket;
  }

  // The next frame, or nothing at the end.
  static std::optional<SentFrame> Receive(int socket) {
    auto frame = ReceiveFrame(socket);
    EXPECT_TRUE(!frame || frame->is_whole);
    return frame;
  }
  // Connects and is greeted.
  int Greeted(const std::string& name) const {
    const int client = Connect(name);
    const auto greeting = Receive(client);
    EXPECT_TRUE(greeting && greeting->kind == protocol::FrameKind::kHello);
    protocol::Hello hello;
    if (greeting) stream::RecordReader(greeting->payload)(hello);
    EXPECT_EQ(hello.pid, getpid());
    return client;
  }
  // Asks the collector to leave; what it answers, or nothing when it only hangs up.
  std::optional<protocol::FrameKind> AskToLeave(const std::string& name) const {
    const int client = Greeted(name);
    const protocol::FrameHeader detach = MakeHeader(protocol::FrameKind::kDetach, 0, {});
    EXPECT_EQ(send(client, &detach, sizeof detach, 0), static_cast<ssize_t>(sizeof detach));
    const auto answer = Receive(client);
    close(client);
    return answer ? std::optional(answer->kind) : std::nullopt;
  }
  // Asks for a capture without --light; the code of its refusal.
  std::string AskForYoung(const std::string& name) const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, (folder_ + "/capture").c_str());
    const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener, 1), 0);
    const int client = Greeted(name);
    protocol::Options options;
    options.size = sizeof options;
    options.gc = protocol::GcRequest::kYoung;
    std::strcpy(options.socket_path, address.sun_path);
    const std::span bytes(reinterpret_cast<const uint8_t*>(&options), sizeof options);
    const protocol::FrameHeader header = MakeHeader(protocol::FrameKind::kCapture, 0, bytes);
    EXPECT_EQ(send(client, &header, sizeof header, 0), static_cast<ssize_t>(sizeof header));
    EXPECT_EQ(send(client, &options, sizeof options, 0), static_cast<ssize_t>(sizeof options));
    const int capture = accept(listener, nullptr, nullptr);
    protocol::Refused refused;
    for (auto frame = Receive(capture); frame; frame = Receive(capture))
      if (frame->kind == protocol::FrameKind::kRefused) stream::RecordReader(frame->payload)(refused);
    for (const int socket : {capture, client, listener}) close(socket);
    fs::remove(address.sun_path);
    return refused.code;
  }
  void LetItLeave() {
    runtime_.detach_answer = abi::kOk;
    runtime_.on_detach_request = [this] { detacher_ = std::thread([this] { profiler_->ProfilerDetachSucceeded(); }); };
  }

  std::string folder_;
  FakeRuntime runtime_;
  abi::ICorProfilerCallback11* profiler_ = nullptr;
  std::thread detacher_;
};

TEST_F(ResidentCollectorTest, StaysUntilToldToLeave) {
  ASSERT_EQ(profiler_->Initialize(runtime_.As<abi::IUnknown>()), abi::kOk);
  EXPECT_EQ(runtime_.low_masks, (std::vector<uint32_t>{0})) << "MONITOR_GC would end concurrent collections";
  EXPECT_EQ(runtime_.high_masks, (std::vector<uint32_t>{abi::kHighBasicGc}));
  ASSERT_EQ(Sockets().size(), 1u);
  const std::string name = Sockets()[0];
  EXPECT_EQ(name.rfind("cairn-" + std::to_string(getpid()) + "-", 0), 0u) << name;
  EXPECT_EQ(name.substr(name.size() - 8), "-control");
  struct stat status {};
  ASSERT_EQ(stat((folder_ + "/" + name).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);

  close(Connect(name));  // somebody who only looks
  const int talker = Connect(name);
  EXPECT_EQ(send(talker, "nonsense that is no frame at all", 32, 0), 32);
  close(talker);
  EXPECT_EQ(AskForYoung(name), "attach.resident_young");
  EXPECT_EQ(runtime_.low_masks, (std::vector<uint32_t>{0})) << "a refusal asks the runtime for nothing";
  EXPECT_EQ(runtime_.detaches, 0);

  // The runtime will not let go yet: 50 tries, 100 ms apart. Later it does.
  EXPECT_EQ(AskToLeave(name), std::nullopt);
  EXPECT_EQ(runtime_.detaches, 50);
  LetItLeave();
  EXPECT_EQ(AskToLeave(name), protocol::FrameKind::kDetached);
  EXPECT_EQ(runtime_.detaches, 51);
  EXPECT_EQ(runtime_.references, 0);
  EXPECT_TRUE(Sockets().empty());
}

// Two runtimes in one process, each with functions of its own.
class FirstRuntime : public FakeRuntime {};
class SecondRuntime : public FakeRuntime {};

TEST_F(ResidentCollectorTest, TwoRuntimesShareNothing) {
  FirstRuntime first;
  SecondRuntime second;
  abi::ICorProfilerCallback11* other = CreateProfiler();
  ASSERT_EQ(profiler_->Initialize(first.As<abi::IUnknown>()), abi::kOk);
  ASSERT_EQ(other->Initialize(second.As<abi::IUnknown>()), abi::kOk);
  std::vector<std::string> names = Sockets();
  std::sort(names.begin(), names.end());
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[1], names[0] + "2");
  std::thread first_leaves, second_leaves;
  first.on_detach_request = [&] { first_leaves = std::thread([&] { profiler_->ProfilerDetachSucceeded(); }); };
  second.on_detach_request = [&] { second_leaves = std::thread([&] { other->ProfilerDetachSucceeded(); }); };

  EXPECT_EQ(AskToLeave(names[1]), protocol::FrameKind::kDetached);
  EXPECT_EQ(first.detaches, 0);
  EXPECT_EQ(second.detaches, 1);
  EXPECT_EQ(Sockets(), (std::vector<std::string>{names[0]}));
  // The end of one is none of the other's business.
  EXPECT_EQ(other->Shutdown(), abi::kOk);
  EXPECT_EQ(AskForYoung(names[0]), "attach.resident_young");
  EXPECT_EQ(AskToLeave(names[0]), protocol::FrameKind::kDetached);
  EXPECT_EQ(first.detaches, 1);
  first_leaves.join();
  second_leaves.join();
  other->Release();
}

}  // namespace
}  // namespace cairn::collector
