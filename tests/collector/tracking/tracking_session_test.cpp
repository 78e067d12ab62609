#include "collector/tracking/tracking_session.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <thread>

#include "collector/capture/clock.h"
#include "tests/collector/capture/fake_runtime.h"
#include "tests/collector/capture/no_threads.h"

namespace cairn::collector {
namespace {

class TrackingSessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cairn-track-XXXXXX";
    folder_ = mkdtemp(name);
    setenv("CAIRN_CONTROL_DIR", folder_.c_str(), 1);
    options_.size = sizeof options_;
    options_.track = 1;
    std::strcpy(options_.socket_path, (folder_ + "/s").c_str());
    listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, options_.socket_path);
    ASSERT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(listen(listener_, 4), 0);
    runtime_.on_detach_request = [this] { std::thread([this] { session_.OnDetached(); }).detach(); };
  }
  void TearDown() override {
    close(listener_);
    unsetenv("CAIRN_CONTROL_DIR");
    std::filesystem::remove_all(folder_);
  }
  // As in the target they are never destroyed: the thread ends a moment after it has let go.
  static TrackingSession& NewSession() {
    static auto& services = *new std::vector<std::unique_ptr<CaptureService>>;
    static auto& sessions = *new std::vector<std::unique_ptr<TrackingSession>>;
    services.push_back(std::make_unique<CaptureService>());
    sessions.push_back(std::make_unique<TrackingSession>(*services.back()));
    return *sessions.back();
  }
  void AttachAndBegin() {
    ASSERT_EQ(session_.Attach(runtime_.As<abi::IUnknown>(), options_, false), abi::kOk);
    EXPECT_EQ(session_.Begin(), abi::kOk);
  }
  // Only a condition that does not come about for very long fails.
  void ExpectLeft() {
    for (int i = 0; i < 20'000 && session_.IsActive(); ++i) SleepMs(1);
    ASSERT_FALSE(session_.IsActive());
    EXPECT_EQ(runtime_.low_masks.back(), 0u);
    EXPECT_EQ(runtime_.sessions_started, runtime_.sessions_stopped);
  }

  std::string folder_;
  FakeRuntime runtime_;
  TrackingSession& session_ = NewSession();
  protocol::Options options_;
  int listener_ = -1;
};

TEST_F(TrackingSessionTest, LeavesWhenItsClientDies) {
  AttachAndBegin();
  close(accept(listener_, nullptr, nullptr));
  ExpectLeft();
}

TEST_F(TrackingSessionTest, WithoutAThreadItIsOverWithTheDetach) {
  {
    const NoThreads none;
    AttachAndBegin();
  }
  ExpectLeft();
  EXPECT_EQ(runtime_.detaches, 1);
}

}  // namespace
}  // namespace cairn::collector
