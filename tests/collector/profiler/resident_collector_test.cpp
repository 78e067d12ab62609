// Loaded at start-up: the collector stays until it is told to leave.

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "collector/capture/client_channel.h"
#include "tests/collector/capture/fake_runtime.h"
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

  // Asks the collector to leave; what it answers, or nothing when it only hangs up.
  std::optional<protocol::FrameKind> AskToLeave(const std::string& name) const {
    const int client = Connect(name);
    const protocol::FrameHeader detach = MakeHeader(protocol::FrameKind::kDetach, 0, {});
    EXPECT_EQ(send(client, &detach, sizeof detach, 0), static_cast<ssize_t>(sizeof detach));
    protocol::FrameHeader answer;
    const ssize_t got = recv(client, &answer, sizeof answer, MSG_WAITALL);
    close(client);
    return got == sizeof answer ? std::optional(answer.kind) : std::nullopt;
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

}  // namespace
}  // namespace cairn::collector
