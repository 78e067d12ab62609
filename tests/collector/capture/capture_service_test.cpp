// Whole captures against a made-up runtime and a heap laid by hand: what is sent, what the runtime is asked,
// and that nothing is left behind, also when something goes wrong.

#include "collector/capture/capture_service.h"

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

#include "collector/protocol/messages.h"
#include "tests/collector/capture/fake_runtime.h"
#include "tests/collector/walk/heap_builder.h"

namespace cairn::collector {
namespace {

using protocol::FrameKind;

constexpr uint32_t kCollectible = 0x00200000;
// Short enough to wait for, long enough for a collection that comes at once.
constexpr uint32_t kCollectionDeadlineMs = 3000;
constexpr uint32_t kMonitorGc = abi::kMonitorGc;

struct Frame {
  FrameKind kind;
  std::vector<uint8_t> payload;
};

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
std::vector<Frame> ReadAll(int socket) {
  std::vector<Frame> frames;
  protocol::FrameHeader header;
  while (recv(socket, &header, sizeof header, MSG_WAITALL) == sizeof header) {
    Frame frame{header.kind, std::vector<uint8_t>(header.payload_size)};
    if (header.payload_size > 0) recv(socket, frame.payload.data(), header.payload_size, MSG_WAITALL);
    EXPECT_EQ(header.sequence, frames.size());
    frames.push_back(std::move(frame));
  }
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
  std::vector<Frame> CaptureAll() {
    result_ = Attach();
    return ReadAll(listener_.Accept());
  }
  std::string RefusedCode(const std::vector<Frame>& frames) {
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
Message Decode(const std::vector<Frame>& frames, FrameKind kind) {
  Message message;
  for (const Frame& frame : frames) {
    if (frame.kind != kind) continue;
    stream::RecordReader reader(frame.payload);
    reader(message);
    EXPECT_TRUE(reader.Complete());
  }
  return message;
}

TEST_F(CaptureServiceTest, SendsEverythingOnce) {
  const std::vector<Frame> frames = CaptureAll();
  ASSERT_EQ(result_, abi::kOk);
  std::map<FrameKind, int> count;
  for (const Frame& frame : frames) ++count[frame.kind];
  EXPECT_EQ(frames.front().kind, FrameKind::kHello);
  EXPECT_EQ(frames.back().kind, FrameKind::kEnd);
  for (const FrameKind kind :
       {FrameKind::kHello, FrameKind::kWalkEnd, FrameKind::kRanges, FrameKind::kTypes, FrameKind::kModules,
        FrameKind::kTypeNames, FrameKind::kRoots, FrameKind::kDependents, FrameKind::kThreads, FrameKind::kStatics,
        FrameKind::kChunk, FrameKind::kDetached, FrameKind::kEnd}) {
    EXPECT_EQ(count[kind], 1) << static_cast<int>(kind);
  }
  const auto end = Decode<protocol::End>(frames, FrameKind::kEnd);
  EXPECT_EQ(end.chunks, 1u);
  EXPECT_EQ(end.frames, frames.size());
  ExpectNothingIsLeft();
  EXPECT_EQ(runtime_.detaches, 1);
}

TEST_F(CaptureServiceTest, Totals) {
  const std::vector<Frame> frames = CaptureAll();
  const auto walk = Decode<protocol::WalkEnd>(frames, FrameKind::kWalkEnd);
  EXPECT_EQ(walk.objects, 1001u);
  EXPECT_EQ(walk.bytes, 24024u);  // 1001 * 24
  EXPECT_EQ(walk.reconciled_bytes, 24024u);
  EXPECT_EQ(walk.reconciled_source, "GCHeapStats");
  EXPECT_EQ(walk.types, 2u);
  EXPECT_EQ(walk.condemned, 2);
  EXPECT_FALSE(walk.through_api);
  EXPECT_EQ(walk.checked_objects, 32u) << "the first 32 of the one range";
  const auto types = Decode<protocol::Types>(frames, FrameKind::kTypes);
  ASSERT_EQ(types.types.size(), 2u);
  EXPECT_EQ(types.types[0].objects, 1000u);
  EXPECT_EQ(types.types[1].loader_allocator, root_);
  const auto roots = Decode<protocol::Roots>(frames, FrameKind::kRoots);
  ASSERT_EQ(roots.roots.size(), 1u);
  EXPECT_EQ(roots.roots[0].object, root_);
  EXPECT_EQ(Decode<protocol::Dependents>(frames, FrameKind::kDependents).dependents.size(), 1u);
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, MonitorGcIsOnOnlyBetweenTheEventAndTheWalk) {
  CaptureAll();
  ExpectNothingIsLeft();
  std::vector<bool> on;
  for (const uint32_t mask : runtime_.low_masks) on.push_back((mask & kMonitorGc) != 0);
  // At attach, cleared at once, at event 205, cleared in the walk, nothing at all before the detach.
  EXPECT_EQ(on, (std::vector<bool>{true, false, true, false, false}));
  EXPECT_EQ(runtime_.low_masks.back(), 0u);
}

TEST_F(CaptureServiceTest, FullSelfCheckLooksAtEveryObject) {
  options_.self_check = protocol::SelfCheck::kFull;
  EXPECT_EQ(Decode<protocol::WalkEnd>(CaptureAll(), FrameKind::kWalkEnd).checked_objects, 1001u);
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, SecondCaptureInTheSameProcess) {
  for (int i = 0; i < 3; ++i) {
    const std::vector<Frame> frames = CaptureAll();
    ASSERT_EQ(frames.back().kind, FrameKind::kEnd) << i;
    ExpectNothingIsLeft();
  }
}

TEST_F(CaptureServiceTest, WithoutEventsMonitorGcIsOnBeforeTheCollection) {
  runtime_.highest_info = 11;
  runtime_.on_force = [this] {
    Start();
    Roots();
    End();
  };
  const std::vector<Frame> frames = CaptureAll();
  EXPECT_EQ(frames.back().kind, FrameKind::kEnd);
  EXPECT_EQ(Decode<protocol::WalkEnd>(frames, FrameKind::kWalkEnd).reconciled_source, "") << "no figure, none said";
  ExpectNothingIsLeft();
  EXPECT_EQ(runtime_.sessions_started, 0);
}

TEST_F(CaptureServiceTest, NobodyListens) {
  std::strcpy(options_.socket_path, "/tmp/cairn-nobody");
  EXPECT_EQ(Attach(), abi::kErrorProfilerCancelActivation);
  EXPECT_TRUE(runtime_.low_masks.empty());
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, BrokenOptions) {
  options_.magic = 0;
  EXPECT_EQ(Attach(), abi::kInvalidArgument);
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, RuntimeTooOld) {
  runtime_.highest_info = 9;
  EXPECT_EQ(RefusedCode(CaptureAll()), "runtime.too_old");
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, ABackgroundCollectionIsInTheWay) {
  runtime_.mask_answer = abi::kErrorTimeoutWaitingForConcurrentGc;
  const std::vector<Frame> frames = CaptureAll();
  EXPECT_EQ(result_, abi::kErrorTimeoutWaitingForConcurrentGc);
  EXPECT_EQ(frames.size(), 1u) << "only the greeting";
  ExpectNothingIsLeft();
  EXPECT_EQ(runtime_.detaches, 0);

  runtime_.mask_answer = abi::kOk;
  EXPECT_EQ(CaptureAll().back().kind, FrameKind::kEnd) << "the next try";
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, ForceGcIsRefused) {
  runtime_.on_force = nullptr;
  runtime_.force_answer = abi::kErrorNotYetAvailable;
  EXPECT_EQ(RefusedCode(CaptureAll()), "gc.refused");
  ExpectNothingIsLeft();
  EXPECT_EQ(runtime_.detaches, 1);
}

TEST_F(CaptureServiceTest, NoCollectionCame) {
  runtime_.on_force = nullptr;
  EXPECT_EQ(RefusedCode(CaptureAll()), "gc.missed");
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, ACollectionThatComesTooLateIsNotTaken) {
  runtime_.on_force = [this] {
    for (int i = 0; i < 30000 && service_.Current()->State() != CaptureState::kFailed; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    Collect();
  };
  EXPECT_EQ(RefusedCode(CaptureAll()), "gc.timeout");
  ExpectNothingIsLeft();
  EXPECT_TRUE(runtime_.handles_made.empty()) << "nothing was walked";
  EXPECT_EQ(runtime_.detaches, 1);
}

TEST_F(CaptureServiceTest, TheTargetExits) {
  runtime_.on_force = [this] {
    service_.Current()->OnShutdown();
    Collect();
  };
  ASSERT_EQ(Attach(), abi::kOk);
  const int client = listener_.Accept();
  for (int i = 0; i < 30000 && service_.Current()->State() != CaptureState::kFailed; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(service_.Current()->State(), CaptureState::kFailed);
  EXPECT_EQ(runtime_.detaches, 0) << "the runtime is going away";
  EXPECT_TRUE(runtime_.handles_made.empty());
  close(client);
}

TEST_F(CaptureServiceTest, ACollectionWithoutRootsIsNotWalked) {
  runtime_.on_force = [this] {
    Start();
    service_.Current()->OnEvent(kGcGlobalHeapHistoryEvent, 1, {});
    End();
  };
  EXPECT_EQ(RefusedCode(CaptureAll()), "gc.no_roots");
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, ABackgroundCollectionsEndIsNotWalked) {
  runtime_.on_force = [this] {
    Start(false);
    service_.Current()->OnEvent(kGcGlobalHeapHistoryEvent, 1, {});
    Roots();
    service_.Current()->OnCollectionFinished();  // with the application running
    EXPECT_EQ(service_.Current()->State(), CaptureState::kCollecting);
    Collect();  // the real one
  };
  EXPECT_EQ(CaptureAll().back().kind, FrameKind::kEnd);
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, AYoungCollectionBeforeIsNotTaken) {
  runtime_.on_force = [this] {
    Capture& capture = *service_.Current();
    capture.OnSuspendStarted();
    capture.OnSuspendFinished();
    const abi::Bool young[] = {1, 0, 0, 0, 0};
    capture.OnCollectionStarted(young, abi::GcReason::kOther);
    capture.OnEvent(kGcGlobalHeapHistoryEvent, 1, {});
    Roots();
    End();
    EXPECT_EQ(capture.State(), CaptureState::kArmed);
    Collect();
  };
  const std::vector<Frame> frames = CaptureAll();
  EXPECT_EQ(frames.back().kind, FrameKind::kEnd);
  EXPECT_EQ(Decode<protocol::Roots>(frames, FrameKind::kRoots).roots.size(), 1u) << "only this collection's";
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, OnlyTheFirstOfTwoFinishedIsWalked) {
  runtime_.on_force = [this] {
    Start();
    service_.Current()->OnEvent(kGcGlobalHeapHistoryEvent, 1, {});
    Roots();
    service_.Current()->OnCollectionFinished();
    End();
  };
  const std::vector<Frame> frames = CaptureAll();
  EXPECT_EQ(Decode<protocol::WalkEnd>(frames, FrameKind::kWalkEnd).objects, 1001u);
  EXPECT_EQ(frames.back().kind, FrameKind::kEnd);
  ExpectNothingIsLeft();
}

// The sample says 24 B an object: 24,024,000 B / 24 B = 1,001,000 objects, at 9.5 ns 9.5 ms, or a
// half or a third of that for as many threads; 1 ms is allowed.
TEST_F(CaptureServiceTest, RefusesAPauseOverTheLimit) {
  runtime_.ranges.front().length *= 1000;  // what lies behind the first objects is not looked at
  options_.max_pause_ms = 1;
  const std::vector<Frame> frames = CaptureAll();
  EXPECT_EQ(RefusedCode(frames), "pause.over_limit");
  EXPECT_THAT(Decode<protocol::Refused>(frames, FrameKind::kRefused).message,
              ::testing::MatchesRegex("The walk would pause the application longer than allowed\\. "
                                      "\\((3|4|9) ms expected, 1 ms allowed\\)"));
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, AClientThatDiesBeforeTheCollection) {
  int client = -1;
  runtime_.on_force = [this, &client] {
    close(client);
    for (int i = 0; i < 5000 && service_.Current()->State() != CaptureState::kFailed; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    Collect();
  };
  const abi::HRESULT attached = service_.Attach(runtime_.As<abi::IUnknown>(), &options_, sizeof options_);
  ASSERT_EQ(attached, abi::kOk);
  client = listener_.Accept();
  service_.AttachComplete();
  ExpectNothingIsLeft();
  EXPECT_EQ(runtime_.detaches, 1);
  EXPECT_TRUE(runtime_.handles_made.empty()) << "nothing was walked";
}

TEST_F(CaptureServiceTest, AClientThatCancels) {
  int client = -1;
  runtime_.on_force = [this, &client] {
    const protocol::FrameHeader cancel = MakeHeader(FrameKind::kCancel, 0, {});
    EXPECT_EQ(send(client, &cancel, sizeof cancel, 0), static_cast<ssize_t>(sizeof cancel));
    for (int i = 0; i < 5000 && service_.Current()->State() != CaptureState::kFailed; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  ASSERT_EQ(service_.Attach(runtime_.As<abi::IUnknown>(), &options_, sizeof options_), abi::kOk);
  client = listener_.Accept();
  service_.AttachComplete();
  const std::vector<Frame> frames = ReadAll(client);
  EXPECT_NE(frames.back().kind, FrameKind::kEnd);
  ExpectNothingIsLeft();
  EXPECT_EQ(runtime_.detaches, 1);
}

TEST_F(CaptureServiceTest, ASecondAttachWhileOneIsUnderWay) {
  std::string code;
  runtime_.on_force = [this, &code] {
    EXPECT_EQ(service_.Attach(runtime_.As<abi::IUnknown>(), &options_, sizeof options_),
              abi::kErrorProfilerCancelActivation);
    code = RefusedCode(ReadAll(listener_.Accept()));
    Collect();
  };
  result_ = service_.Attach(runtime_.As<abi::IUnknown>(), &options_, sizeof options_);
  const int client = listener_.Accept();
  service_.AttachComplete();
  const std::vector<Frame> frames = ReadAll(client);
  EXPECT_EQ(code, "capture.busy");
  EXPECT_EQ(frames.back().kind, FrameKind::kEnd) << "the first one is not disturbed";
  ExpectNothingIsLeft();
}

TEST_F(CaptureServiceTest, DetachIsAskedForAgain) {
  runtime_.detach_answer = abi::kErrorUnsupportedCallSequence;
  runtime_.on_detach_request = [this] {
    if (runtime_.detaches < 3) return;
    runtime_.detach_answer = abi::kOk;
    DetachLater();
  };
  EXPECT_EQ(CaptureAll().back().kind, FrameKind::kEnd);
  EXPECT_EQ(runtime_.detaches, 3);
  ExpectNothingIsLeft();
}

// ---- young ----

class YoungCaptureTest : public CaptureServiceTest {
 protected:
  void SetUp() override {
    CaptureServiceTest::SetUp();
    options_.gc = protocol::GcRequest::kYoung;
    inducer_.on_collect = [this] { CollectYoung(kGen0, abi::GcReason::kInduced); };
  }
  void CollectYoung(std::span<const abi::Bool> collected, abi::GcReason reason) {
    Start(collected, reason);
    service_.Current()->OnEvent(kGcGlobalHeapHistoryEvent, 1, {});
    Roots();
    End();
  }
  uint8_t Condemned(const std::vector<Frame>& frames) {
    EXPECT_EQ(frames.back().kind, FrameKind::kEnd) << RefusedCode(frames);
    return Decode<protocol::WalkEnd>(frames, FrameKind::kWalkEnd).condemned;
  }
  static constexpr abi::Bool kGen0[] = {1, 0, 0, 0, 0}, kGen1[] = {1, 1, 0, 0, 0}, kAll[] = {1, 1, 1, 1, 1};
};

TEST_F(YoungCaptureTest, InducedGeneration0) {
  const std::vector<Frame> frames = CaptureAll();
  EXPECT_EQ(Condemned(frames), 0);
  EXPECT_EQ(Decode<protocol::WalkEnd>(frames, FrameKind::kWalkEnd).objects, 1001u);
  EXPECT_EQ(Decode<protocol::Roots>(frames, FrameKind::kRoots).roots.size(), 1u);
  ExpectNothingIsLeft();
  EXPECT_EQ(inducer_.prepared, 2) << "before the collection, and on the thread that names";
  EXPECT_EQ(inducer_.induced, 1);
  EXPECT_EQ(runtime_.forced, 0);
}

// As the runtime does when it gets to know a thread. Other threads come and go as well.
TEST_F(YoungCaptureTest, NamesInsideTheCallbackOfItsOwnThread) {
  std::string state;
  inducer_.on_prepare = [this, &state] {
    Capture& capture = *service_.Current();
    std::thread([&capture] { capture.OnThreadCreated(); }).join();
    EXPECT_NE(capture.State(), CaptureState::kSending) << "another thread";
    capture.OnThreadCreated();
    state = protocol::StateName(capture.State());
  };
  const std::vector<Frame> frames = CaptureAll();
  EXPECT_EQ(Condemned(frames), 0);
  EXPECT_EQ(std::ranges::count(frames, FrameKind::kTypeNames, &Frame::kind), 1);
  ExpectNothingIsLeft();
  EXPECT_EQ(state, "sending") << "named when the callback returned";
  EXPECT_TRUE(
      std::ranges::any_of(runtime_.low_masks, [](uint32_t mask) { return (mask & abi::kMonitorThreads) != 0; }));
}

TEST_F(YoungCaptureTest, TheRuntimeMakesItAFullOne) {
  inducer_.on_collect = [this] { CollectYoung(kAll, abi::GcReason::kInduced); };
  EXPECT_EQ(Condemned(CaptureAll()), 2);
  ExpectNothingIsLeft();
}

TEST_F(YoungCaptureTest, TheEventSaysWhichGeneration) {
  inducer_.on_collect = [this] {
    Start(kGen0, abi::GcReason::kInduced);
    std::vector<uint8_t> payload(34);
    payload[12] = 1;
    service_.Current()->OnEvent(kGcGlobalHeapHistoryEvent, 1, payload);
    Roots();
    End();
  };
  EXPECT_EQ(Condemned(CaptureAll()), 1);
  ExpectNothingIsLeft();
}

TEST_F(YoungCaptureTest, ANaturalOneWhereNoneCanBeMade) {
  inducer_.available = false;
  options_.wait_natural_ms = 60000;
  ASSERT_EQ(Attach(), abi::kOk);
  const int client = listener_.Accept();
  std::thread application([this] {
    while (service_.Current()->State() != CaptureState::kArmed) std::this_thread::yield();
    CollectYoung(kGen1, abi::GcReason::kOther);
  });
  EXPECT_EQ(Condemned(ReadAll(client)), 1);
  application.join();
  ExpectNothingIsLeft();
  EXPECT_EQ(inducer_.induced, 0);
}

// The application's own collections come at any time: before ours is asked for, or while it is.
TEST_F(YoungCaptureTest, ANaturalOneJustBeforeTheInducedOne) {
  for (int i = 0; i < 30; ++i) {
    std::mutex collecting;  // the runtime makes one at a time
    std::atomic<bool> collected{false};
    inducer_.on_collect = [&] {
      const std::lock_guard lock(collecting);
      CollectYoung(kGen0, abi::GcReason::kInduced);
    };
    runtime_.on_detach_request = [&] {  // the runtime lets nobody go while it calls
      while (!collected) std::this_thread::yield();
      DetachLater();
    };
    ASSERT_EQ(service_.Attach(runtime_.As<abi::IUnknown>(), &options_, sizeof options_), abi::kOk);
    const int client = listener_.Accept();
    std::thread application([&] {
      while (service_.Current()->State() < CaptureState::kArmed) std::this_thread::yield();
      const std::lock_guard lock(collecting);
      CollectYoung(kGen1, abi::GcReason::kOther);
      collected = true;
    });
    service_.AttachComplete();
    const std::vector<Frame> frames = ReadAll(client);
    application.join();
    ASSERT_EQ(frames.back().kind, FrameKind::kEnd) << i << ": " << RefusedCode(frames);
    ExpectNothingIsLeft();
  }
}

TEST_F(YoungCaptureTest, NoneCame) {
  inducer_.available = false;
  options_.wait_natural_ms = 20;
  EXPECT_EQ(RefusedCode(CaptureAll()), "gc.none_natural");
  ExpectNothingIsLeft();
  EXPECT_EQ(runtime_.forced, 0) << "never a full one unasked";
  EXPECT_EQ(runtime_.detaches, 1);
}

// One that begins before we are ready has no roots of ours; the next one is taken.
TEST_F(YoungCaptureTest, OneThatBeganBeforeArmingIsNotTaken) {
  ASSERT_EQ(service_.Attach(runtime_.As<abi::IUnknown>(), &options_, sizeof options_), abi::kOk);
  Start(kGen1, abi::GcReason::kOther);
  const int client = listener_.Accept();
  std::atomic<bool> ended{false};
  inducer_.on_collect = [&] {  // waits, as in a runtime, for the collection that is under way
    while (!ended) std::this_thread::yield();
    CollectYoung(kGen0, abi::GcReason::kInduced);
  };
  service_.AttachComplete();
  std::thread application([&] {
    while (service_.Current()->State() != CaptureState::kArmed) std::this_thread::yield();
    Roots();
    EXPECT_EQ(service_.Current()->State(), CaptureState::kArmed);
    End();
    ended = true;
  });
  EXPECT_EQ(Condemned(ReadAll(client)), 0) << "not the one of generation 1";
  application.join();
  ExpectNothingIsLeft();
  EXPECT_EQ(inducer_.induced, 1);
}

TEST_F(YoungCaptureTest, ABackgroundCollectionIsNotTaken) {
  inducer_.on_collect = [this] {
    if (inducer_.induced == 1) {
      Start(kAll, abi::GcReason::kInduced);
      service_.Current()->OnResumeStarted();
      service_.Current()->OnCollectionFinished();  // with the application running
    } else {
      CollectYoung(kGen0, abi::GcReason::kInduced);
    }
  };
  EXPECT_EQ(Condemned(CaptureAll()), 0);
  ExpectNothingIsLeft();
}

TEST_F(YoungCaptureTest, OneWithoutRootsIsNotTaken) {
  inducer_.on_collect = [this] {
    Start(kGen0, abi::GcReason::kInduced);
    End();
  };
  EXPECT_EQ(RefusedCode(CaptureAll()), "gc.no_roots");
  ExpectNothingIsLeft();
  EXPECT_EQ(inducer_.induced, 3);
}

// ---- light ----

class LightCaptureTest : public CaptureServiceTest {
 protected:
  void SetUp() override {
    CaptureServiceTest::SetUp();
    options_.light = 1;
    runtime_.on_force = [this] { CollectWithEvents(true); };
  }
  void CollectWithEvents(bool with_roots) {
    Start();
    Capture& capture = *service_.Current();
    capture.OnEvent(kGcGlobalHeapHistoryEvent, 1, {});
    if (with_roots) capture.OnEvent(kGcRootEdgesEvent, 0, RootEdge());
    End();
  }
  // u32 index 0, u32 count 1, u16, then u64 object, u8 kind 2 (handle), u32 flags, u64 id.
  std::vector<uint8_t> RootEdge() const {
    std::vector<uint8_t> payload(10 + 21);
    payload[4] = 1;
    std::memcpy(payload.data() + 10, &root_, sizeof root_);
    payload[18] = 2;
    return payload;
  }
};

TEST_F(LightCaptureTest, NeverAsksForWhatSwitchesConcurrentCollectionsOff) {
  const std::vector<Frame> frames = CaptureAll();
  ASSERT_EQ(frames.back().kind, FrameKind::kEnd) << RefusedCode(frames);
  EXPECT_EQ(Decode<protocol::Roots>(frames, FrameKind::kRoots).roots.size(), 1u);
  EXPECT_EQ(Decode<protocol::WalkEnd>(frames, FrameKind::kWalkEnd).condemned, 2);
  EXPECT_EQ(Decode<protocol::Detached>(frames, FrameKind::kDetached).concurrent_gc_off_ms, 0);
  ExpectNothingIsLeft();
  for (const uint32_t mask : runtime_.low_masks) EXPECT_EQ(mask & kMonitorGc, 0u);
  EXPECT_EQ(runtime_.forced, 1);
  EXPECT_EQ(inducer_.prepared, 0);
}

// ---- beside another profiler ----

class BesideCaptureTest : public LightCaptureTest {
 protected:
  void SetUp() override {
    LightCaptureTest::SetUp();
    runtime_.on_suspend = [this] { service_.Current()->OnSuspendStarted(); };
  }
  std::vector<Frame> CaptureBeside() {
    result_ = service_.Attach(runtime_.As<abi::IUnknown>(), &options_, sizeof options_, true);
    if (abi::Succeeded(result_)) service_.AttachComplete();
    return ReadAll(listener_.Accept());
  }
};

TEST_F(BesideCaptureTest, TakesRootsFromEventsAndLeaves) {
  for (int i = 0; i < 2; ++i) {
    const std::vector<Frame> frames = CaptureBeside();
    ASSERT_EQ(frames.back().kind, FrameKind::kEnd) << RefusedCode(frames);
    ExpectNothingIsLeft();
    EXPECT_EQ(runtime_.detaches, i + 1);
  }
  EXPECT_GE(runtime_.suspended, 2) << "each looks whether the runtime still calls";
  EXPECT_EQ(runtime_.resumed, runtime_.suspended);
  for (const uint32_t mask : runtime_.low_masks) EXPECT_EQ(mask & kMonitorGc, 0u);
}

TEST_F(BesideCaptureTest, NeverWithMonitorGc) {
  options_.light = 0;
  EXPECT_EQ(RefusedCode(CaptureBeside()), "attach.other_profiler");
  EXPECT_TRUE(runtime_.low_masks.empty());
  ExpectNothingIsLeft();
}

// The profiler that the runtime spoke of was our own.
TEST_F(BesideCaptureTest, NotBesideOneOfOursThatLeftJustNow) {
  ASSERT_EQ(CaptureAll().back().kind, FrameKind::kEnd);
  ExpectNothingIsLeft();
  EXPECT_EQ(RefusedCode(CaptureBeside()), "capture.busy");
  ExpectNothingIsLeft();
}

// A runtime that does not call any more crashes when it is asked to let go.
TEST_F(BesideCaptureTest, StaysWhereTheRuntimeHasForgottenIt) {
  runtime_.on_suspend = nullptr;
  std::vector<Frame> frames;
  std::thread client([&] { frames = ReadAll(listener_.Accept()); });
  ASSERT_EQ(service_.Attach(runtime_.As<abi::IUnknown>(), &options_, sizeof options_, true), abi::kOk);
  service_.AttachComplete();
  client.join();
  EXPECT_EQ(runtime_.detaches, 0);
  EXPECT_EQ(runtime_.resumed, 5);
  EXPECT_EQ(Decode<protocol::Problem>(frames, FrameKind::kProblem).code, "attach.left_behind");
  EXPECT_EQ(frames.back().kind, FrameKind::kEnd);
}

TEST_F(LightCaptureTest, WithoutRootEventsThereIsNoCapture) {
  runtime_.on_force = [this] { CollectWithEvents(false); };
  EXPECT_EQ(RefusedCode(CaptureAll()), "gc.no_roots");
  ExpectNothingIsLeft();
}

TEST_F(LightCaptureTest, ARuntimeWithoutEventSessions) {
  runtime_.highest_info = 11;
  EXPECT_EQ(RefusedCode(CaptureAll()), "capture.light_not_available");
  ExpectNothingIsLeft();
  EXPECT_TRUE(runtime_.low_masks.empty());
}

}  // namespace
}  // namespace cairn::collector
