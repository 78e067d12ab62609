#pragma once
// Whole captures against a made-up runtime and a heap laid by hand, and what a client sees of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "collector/capture/capture_service.h"
#include "collector/protocol/messages.h"
#include "tests/collector/capture/fake_runtime.h"
#include "tests/collector/capture/sent_frame.h"
#include "tests/collector/walk/heap_builder.h"

namespace cairn::collector {

using protocol::FrameKind;

inline constexpr uint32_t kCollectible = 0x00200000;
// Short enough to wait for, long enough for a collection that comes at once.
inline constexpr uint32_t kCollectionDeadlineMs = 3000;
inline constexpr uint32_t kMonitorGc = abi::kMonitorGc;

class Listener {
 public:
  Listener() : path_("/tmp/cairn-service-" + std::to_string(getpid())) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path_.c_str());
    socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(socket_, 4), 0);
  }
  ~Listener() {
    close(socket_);
    unlink(path_.c_str());
  }
  const std::string& Path() const { return path_; }
  int Accept() const { return accept(socket_, nullptr, nullptr); }

 private:
  std::string path_;
  int socket_;
};

// All frames until the collector closes.
inline std::vector<SentFrame> ReadAll(int socket) {
  std::vector<SentFrame> frames = ReadFrames(socket);
  close(socket);
  return frames;
}

// The hosting interface of a runtime that has one.
class FakeInducer : public GcInducer {
 public:
  bool Prepare() override {
    ++prepared;
    if (on_prepare) on_prepare();
    return available;
  }
  void CollectGeneration0() override {
    ++induced;
    if (on_collect) on_collect();
  }
  bool available = true;
  int prepared = 0, induced = 0;
  std::function<void()> on_prepare, on_collect;
};

class CaptureServiceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const uint64_t plain = heap_.Class(24);
    const uint64_t unloadable = heap_.Class(24, {}, kCollectible);
    heap_.BeginRange(stream::Generation::kGen2);
    for (int i = 0; i < 1000; ++i) heap_.Object(plain);
    const uint64_t object = heap_.Object(unloadable);
    const HeapRange range = heap_.EndRange();
    root_ = range.start;
    runtime_.ranges = {{abi::GcGeneration::kGen2, range.start, range.length, range.length}};
    runtime_.loader_allocators = {{object, range.start}};
    runtime_.on_force = [this] { Collect(); };
    runtime_.on_detach_request = [this] { DetachLater(); };
    options_.size = sizeof options_;
    options_.method = protocol::WalkMethod::kPause;  // forks have their own tests
    options_.gc = protocol::GcRequest::kFull;
    std::strcpy(options_.socket_path, listener_.Path().c_str());
  }
  void TearDown() override {
    if (detacher_.joinable()) detacher_.join();
  }

  // ---- what a runtime does ----
  void DetachLater() {
    if (detacher_.joinable()) detacher_.join();
    detacher_ = std::thread([this] {
      { const std::lock_guard no_callback_is_under_way(callbacks_); }
      service_.DetachSucceeded();
    });
  }
  void Start(bool suspended = true) {
    const abi::Bool all[] = {1, 1, 1, 1, 1};
    Start(all, abi::GcReason::kInduced);
    if (!suspended) service_.Current()->OnResumeStarted();
  }
  void Start(std::span<const abi::Bool> collected, abi::GcReason reason) {
    Capture& capture = *service_.Current();
    capture.OnSuspendStarted();
    capture.OnSuspendFinished();
    capture.OnCollectionStarted(collected, reason);
  }
  void Roots() {
    const abi::ObjectID objects[] = {root_};
    const abi::GcRootKind kinds[] = {abi::GcRootKind::kHandle};
    const uint32_t flags[] = {0};
    const uintptr_t ids[] = {0x77};
    service_.Current()->OnRoots(1, objects, kinds, flags, ids);
    service_.Current()->OnDependents(1, objects, objects);
  }
  void End() {
    const std::lock_guard under_way(callbacks_);
    Capture& capture = *service_.Current();
    capture.OnCollectionFinished();
    std::vector<uint8_t> stats(110);
    const uint64_t bytes = 1001 * 24;
    std::memcpy(stats.data(), &bytes, sizeof bytes);
    if (runtime_.sessions_started > 0) capture.OnEvent(kGcHeapStatsEvent, 2, stats);
    const uint64_t bytes_of_next = 24;  // of a full collection that follows in the same pause
    std::memcpy(stats.data(), &bytes_of_next, sizeof bytes_of_next);
    if (runtime_.sessions_started > 0) capture.OnEvent(kGcHeapStatsEvent, 2, stats);
    capture.OnResumeStarted();
    capture.OnResumeFinished();
  }
  void Collect() {
    Start();
    service_.Current()->OnEvent(kGcGlobalHeapHistoryEvent, 1, {});
    Roots();
    End();
  }

  // ---- what a client does ----
  abi::HRESULT Attach() {
    const abi::HRESULT result = service_.Attach(runtime_.As<abi::IUnknown>(), &options_, sizeof options_);
    if (abi::Succeeded(result)) service_.AttachComplete();
    return result;
  }
  std::vector<SentFrame> CaptureAll() {
    result_ = Attach();
    return ReadAll(listener_.Accept());
  }
  std::string RefusedCode(const std::vector<SentFrame>& frames) {
    if (frames.empty() || frames.back().kind != FrameKind::kRefused) return "not refused";
    protocol::Refused refused;
    stream::RecordReader reader(frames.back().payload);
    reader(refused);
    return reader.Complete() ? refused.code : "not readable";
  }
  void ExpectNothingIsLeft() {
    for (int i = 0; i < 5000 && service_.Current() != nullptr; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(service_.Current(), nullptr);
    EXPECT_EQ(runtime_.references, 0);
    EXPECT_EQ(runtime_.sessions_started, runtime_.sessions_stopped);
    EXPECT_EQ(static_cast<int>(runtime_.handles_made.size()), runtime_.handles_destroyed);
  }

  HeapBuilder heap_{X64Layout(10)};
  FakeRuntime runtime_;
  Listener listener_;
  FakeInducer inducer_;
  // Never destroyed, as in a target: its thread for kept memory may outlive a test by seconds.
  CaptureService& service_ = *new CaptureService(kCollectionDeadlineMs, inducer_);
  protocol::Options options_;
  abi::HRESULT result_ = abi::kOk;
  uint64_t root_ = 0;
  std::thread detacher_;
  std::mutex callbacks_;
};

template <class Message>
Message Decode(const std::vector<SentFrame>& frames, FrameKind kind) {
  Message message;
  for (const SentFrame& frame : frames) {
    if (frame.kind != kind) continue;
    stream::RecordReader reader(frame.payload);
    reader(message);
    EXPECT_TRUE(reader.Complete());
  }
  return message;
}

}  // namespace cairn::collector
