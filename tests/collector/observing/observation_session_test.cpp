#include "collector/observing/observation_session.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <new>
#include <thread>

#include "collector/capture/clock.h"
#include "collector/protocol/messages.h"
#include "collector/protocol/occupation.h"
#include "collector/types/com_text.h"
#include "tests/collector/capture/fake_runtime.h"
#include "tests/collector/capture/no_threads.h"
#include "tests/collector/capture/sent_frame.h"

namespace cairn::collector {
namespace {

using protocol::FrameKind;

constexpr uint32_t kWantedLow = abi::kMonitorThreads;
constexpr uint32_t kWantedHigh = abi::kHighMonitorDynamicFunctionUnloads;

// What the session's observer was told, for the test to look at; one at a time.
struct Told {
  std::vector<uint8_t> wishes, order;
  std::atomic<int> drained{0}, finished{0}, alive{0}, events{0};
  std::atomic<bool> shutdown{false}, is_done{false};
  std::atomic<int> unloaded_modules{0}, unloaded_methods{0};
  std::function<void()> on_start, on_finish;
  const Refusal* refusal = nullptr;
  bool stays = false;
}* g_told = nullptr;

class FakeObserver final : public Observer {
 public:
  FakeObserver() { ++g_told->alive; }
  ~FakeObserver() override { --g_told->alive; }
  const Refusal* Start(const ObserverContext&, std::span<const uint8_t> wishes) override {
    g_told->wishes.assign(wishes.begin(), wishes.end());
    if (g_told->on_start) g_told->on_start();
    return g_told->refusal;
  }
  ObserverNeeds Needs() const override {
    const uint32_t low = kWantedLow | (g_told->stays ? abi::kEnableRejit : 0u);
    return {low, kWantedHigh, {{CAIRN_WIDE("Provider"), 1, abi::EventPipeLevel::kError}}, g_told->stays};
  }
  bool OnOrder(std::span<const uint8_t> order, ObservationSink&) override {
    g_told->order.assign(order.begin(), order.end());
    return true;
  }
  bool Drain(ObservationSink& sink) override { return g_told->drained++ != 0 || sink.Send(uint32_t{7}); }
  bool IsDone() const override { return g_told->is_done; }
  void Finish(ObservationSink&) override {
    ++g_told->finished;
    if (g_told->on_finish) g_told->on_finish();
  }
  void OnModuleUnloadStarted(abi::ModuleID) override { ++g_told->unloaded_modules; }
  void OnDynamicMethodUnloaded(abi::FunctionID) override { ++g_told->unloaded_methods; }
  void OnEvent(const ObservedEvent&) override { ++g_told->events; }
  void OnShutdown() override { g_told->shutdown = true; }
};

std::unique_ptr<Observer> MakeFake(protocol::ObserverKind kind) {
  return kind == protocol::ObserverKind::kEvents ? std::make_unique<FakeObserver>() : nullptr;
}

class ObservationSessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cairn-observe-XXXXXX";
    folder_ = mkdtemp(name);
    setenv("CAIRN_CONTROL_DIR", folder_.c_str(), 1);
    g_told = &told_;
    listener_ = Listen(folder_ + "/s");
    options_.size = sizeof options_;
    options_.observe = protocol::ObserverKind::kEvents;
    std::strcpy(options_.socket_path, (folder_ + "/s").c_str());
    runtime_.on_detach_request = [this] { std::thread([this] { session_.OnDetached(); }).detach(); };
  }
  void TearDown() override {
    if (client_ >= 0) close(client_);
    close(listener_);
    unsetenv("CAIRN_CONTROL_DIR");
    std::filesystem::remove_all(folder_);
  }

  // As in the target they are never destroyed: the thread ends a moment after it has let go.
  static ObservationSession& NewSession() {
    static auto& services = *new std::vector<std::unique_ptr<CaptureService>>;
    static auto& sessions = *new std::vector<std::unique_ptr<ObservationSession>>;
    services.push_back(std::make_unique<CaptureService>());
    sessions.push_back(std::make_unique<ObservationSession>(*services.back(), MakeFake));
    return *sessions.back();
  }

  static sockaddr_un Address(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path.c_str());
    return address;
  }
  static int Listen(const std::string& path) {
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = Address(path);
    EXPECT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener, 4), 0);
    return listener;
  }

  // Attaches, and takes the connection.
  abi::HRESULT Attach(bool beside = false) {
    const abi::HRESULT attached = session_.Attach(runtime_.As<abi::IUnknown>(), options_, beside);
    client_ = accept(listener_, nullptr, nullptr);
    if (abi::Succeeded(attached)) {
      EXPECT_EQ(session_.Begin(), abi::kOk);
    }
    return attached;
  }
  static void Say(int to, FrameKind kind, std::span<const uint8_t> payload, uint64_t sequence = 0) {
    const protocol::FrameHeader header = MakeHeader(kind, sequence, payload);
    ASSERT_EQ(send(to, &header, sizeof header, 0), static_cast<ssize_t>(sizeof header));
    if (payload.empty()) return;
    ASSERT_EQ(send(to, payload.data(), payload.size(), 0), static_cast<ssize_t>(payload.size()));
  }
  // kHello, which is told by its number, is never 0.
  FrameKind Hear() { return HearFrom(client_); }
  FrameKind HearFrom(int from) {
    auto frame = ReceiveFrame(from);
    if (!frame) return FrameKind{};
    heard_ = std::move(frame->payload);
    return frame->kind;
  }
  FrameKind HearUntil(FrameKind kind) {
    FrameKind heard = Hear();
    while (heard != kind && heard != FrameKind{}) heard = Hear();
    return heard;
  }
  // The runtime's start, which waits until the client has said what it wants, or that it wants nothing.
  std::thread StartRuntime() {
    std::thread start([this] {
      StartCall call;
      call.nonce[0] = 77;
      call.path = folder_ + "/s";
      started_ = session_.AttachAtStart(runtime_.As<abi::IUnknown>(), call);
    });
    client_ = accept(listener_, nullptr, nullptr);
    EXPECT_EQ(Hear(), FrameKind::kHello);
    protocol::Hello hello;
    stream::RecordReader reader(heard_);
    reader(hello);
    EXPECT_EQ(hello.nonce[0], 77);
    return start;
  }
  void StartObserving() {
    ASSERT_EQ(Attach(), abi::kOk);
    ASSERT_EQ(Hear(), FrameKind::kHello);
    Say(client_, FrameKind::kOrder, std::vector<uint8_t>{1, 2, 3});
    ASSERT_EQ(Hear(), FrameKind::kObserving);
  }
  int ConnectToControl() const {
    const int control = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = Address(folder_ + "/" + ControlSocketName(1));
    EXPECT_EQ(connect(control, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return control;
  }
  // What it says of itself to whoever connects.
  protocol::Occupation OccupationFrom(int control) {
    protocol::Occupation occupation;
    EXPECT_EQ(HearFrom(control), FrameKind::kObserving);
    stream::RecordReader reader(heard_);
    reader(occupation);
    EXPECT_TRUE(reader.Complete());
    return occupation;
  }
  // `cairn detach` while something is observed with events, beside which no capture is taken.
  void ExpectDetachIsRefused() {
    const int control = ConnectToControl();
    const protocol::Occupation occupation = OccupationFrom(control);
    EXPECT_EQ(occupation.kind, protocol::ObserverKind::kEvents);
    EXPECT_FALSE(occupation.takes_captures);
    EXPECT_TRUE(occupation.stays);
    Say(control, FrameKind::kDetach, {});
    EXPECT_EQ(HearUntil(FrameKind::kObservationEnd), FrameKind::kObservationEnd);
    EXPECT_EQ(HearFrom(control), FrameKind::kRefused);
    EXPECT_EQ(HearFrom(control), FrameKind{});
    close(control);
  }
  // The next observation of a collector that stays.
  void StartAnother() {
    close(client_);
    const int control = ConnectToControl();
    EXPECT_EQ(OccupationFrom(control).kind, protocol::ObserverKind::kNone);
    EXPECT_EQ(HearFrom(control), FrameKind::kHello);
    Say(control, FrameKind::kCapture, {reinterpret_cast<const uint8_t*>(&options_), sizeof options_});
    client_ = accept(listener_, nullptr, nullptr);
    close(control);
    ASSERT_EQ(Hear(), FrameKind::kHello);
    Say(client_, FrameKind::kOrder, std::vector<uint8_t>{4});
    ASSERT_EQ(Hear(), FrameKind::kObserving);
  }
  // Only a condition that does not come about for very long fails.
  static void WaitUntil(const std::function<bool()>& holds) {
    for (int i = 0; i < 20'000 && !holds(); ++i) SleepMs(1);
    ASSERT_TRUE(holds());
  }
  void ExpectLeft() {
    WaitUntil([&] { return !session_.IsActive(); });
    EXPECT_EQ(told_.alive, 0);
    EXPECT_EQ(runtime_.sessions_started, runtime_.sessions_stopped);
    EXPECT_EQ(runtime_.detaches, 1);
    EXPECT_EQ(runtime_.low_masks.back(), 0u);
    EXPECT_EQ(runtime_.high_masks.back(), 0u);
  }

  std::string folder_;
  Told told_;
  FakeRuntime runtime_;
  ObservationSession& session_ = NewSession();
  protocol::Options options_;
  int listener_ = -1, client_ = -1;
  std::vector<uint8_t> heard_;
  std::atomic<abi::HRESULT> started_{1};  // what the runtime's start was told; 1: it waits
};

TEST_F(ObservationSessionTest, TheStartWaitsUntilEverythingIsSwitchedOn) {
  told_.on_start = [this] { EXPECT_EQ(started_, 1); };
  std::thread start = StartRuntime();
  Say(client_, FrameKind::kCapture, {reinterpret_cast<const uint8_t*>(&options_), sizeof options_});
  Say(client_, FrameKind::kOrder, std::vector<uint8_t>{1, 2, 3}, 1);
  start.join();
  EXPECT_EQ(started_, abi::kOk);
  EXPECT_EQ(told_.wishes, (std::vector<uint8_t>{1, 2, 3}));
  EXPECT_EQ(runtime_.low_masks.back() & kWantedLow, kWantedLow);
  EXPECT_EQ(runtime_.sessions_started, 1);
  EXPECT_EQ(Hear(), FrameKind::kObserving);
  Say(client_, FrameKind::kCancel, {}, 2);
  EXPECT_EQ(HearUntil(FrameKind::kDetached), FrameKind::kDetached);
  ExpectLeft();
}

// Whatever the client does instead, the runtime starts at once, and nothing of the collector is in it.
TEST_F(ObservationSessionTest, TheStartGoesOnWithout) {
  const Refusal refusal{"methods.none", "", ""};
  const std::function<void()> ways[] = {
      [this] { close(std::exchange(client_, -1)); },
      [this] { Say(client_, FrameKind::kCancel, {}); },
      [this] {
        options_.observe = protocol::ObserverKind::kNone;
        Say(client_, FrameKind::kCapture, {reinterpret_cast<const uint8_t*>(&options_), sizeof options_});
        options_.observe = protocol::ObserverKind::kEvents;
      },
      [this] {  // gone before it says what it wishes
        Say(client_, FrameKind::kCapture, {reinterpret_cast<const uint8_t*>(&options_), sizeof options_});
        close(std::exchange(client_, -1));
      },
      [&] {
        told_.refusal = &refusal;
        Say(client_, FrameKind::kCapture, {reinterpret_cast<const uint8_t*>(&options_), sizeof options_});
        Say(client_, FrameKind::kOrder, std::vector<uint8_t>{1}, 1);
        EXPECT_EQ(Hear(), FrameKind::kRefused);
      },
  };
  for (const auto& way : ways) {
    started_ = 1;
    std::thread start = StartRuntime();
    way();
    start.join();
    EXPECT_EQ(started_, abi::kErrorProfilerCancelActivation);
    EXPECT_FALSE(session_.IsActive());
    EXPECT_EQ(told_.alive, 0);
    EXPECT_EQ(runtime_.sessions_started, 0);
    EXPECT_TRUE(runtime_.low_masks.empty() || runtime_.low_masks.back() == 0u);
    if (client_ >= 0) close(client_);
  }
  EXPECT_EQ(runtime_.detaches, 0) << "there is nothing to detach";
}

TEST_F(ObservationSessionTest, TheStartDoesNotWaitForNobody) {
  StartCall call;
  call.path = folder_ + "/nobody";
  EXPECT_EQ(session_.AttachAtStart(runtime_.As<abi::IUnknown>(), call), abi::kErrorProfilerCancelActivation);
}

// What is said to whoever asks for the detach is one conversation: the frames after the greeting are numbered on.
TEST_F(ObservationSessionTest, SaysBehindItsGreetingThatItHasLeft) {
  StartObserving();
  const int control = ConnectToControl();
  EXPECT_EQ(OccupationFrom(control).kind, protocol::ObserverKind::kEvents);
  Say(control, FrameKind::kDetach, {});
  EXPECT_EQ(HearUntil(FrameKind::kDetached), FrameKind::kDetached);
  const auto frame = ReceiveFrame(control);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->kind, FrameKind::kDetached);
  EXPECT_EQ(frame->sequence, 1u);
  close(control);
  ExpectLeft();
}

TEST_F(ObservationSessionTest, ObservesUntilToldToStopAndLeavesInGoodOrder) {
  StartObserving();
  EXPECT_EQ(told_.wishes, (std::vector<uint8_t>{1, 2, 3}));
  EXPECT_EQ(runtime_.low_masks.back() & kWantedLow, kWantedLow);
  EXPECT_EQ(runtime_.sessions_started, 1);
  ASSERT_EQ(Hear(), FrameKind::kObserved);
  // One block: its size, 4, and the number 7.
  EXPECT_EQ(heard_, (std::vector<uint8_t>{4, 0, 0, 0, 7, 0, 0, 0}));
  session_.Tell([](Observer& observer) { observer.OnEvent({}); });
  EXPECT_EQ(told_.events, 1);
  Say(client_, FrameKind::kOrder, std::vector<uint8_t>{9}, 1);
  WaitUntil([&] { return told_.drained > 3; });
  Say(client_, FrameKind::kCancel, {}, 2);
  EXPECT_EQ(HearUntil(FrameKind::kObservationEnd), FrameKind::kObservationEnd);
  EXPECT_EQ(runtime_.sessions_stopped, 1) << "before the detach, or events would go on";
  EXPECT_EQ(told_.finished, 1);
  EXPECT_EQ(told_.order, std::vector<uint8_t>{9});
  EXPECT_EQ(Hear(), FrameKind::kDetached);
  ExpectLeft();
  session_.Tell([](Observer& observer) { observer.OnEvent({}); });
  EXPECT_EQ(told_.events, 1) << "nobody is told any more";
}

TEST_F(ObservationSessionTest, UnloadingsAreToldUpToTheLastWord) {
  told_.is_done = true;
  told_.on_finish = [this] {
    EXPECT_EQ(runtime_.low_masks.back(), uint32_t{abi::kMonitorModuleLoads});
    EXPECT_EQ(runtime_.high_masks.back(), abi::kHighMonitorEventPipe | kWantedHigh);
    session_.OnModuleUnload(1);
    session_.OnDynamicMethodUnload(2);
    session_.Tell([](Observer& observer) { observer.OnEvent({}); });
  };
  StartObserving();
  EXPECT_EQ(HearUntil(FrameKind::kDetached), FrameKind::kDetached);
  ExpectLeft();
  EXPECT_EQ(told_.unloaded_modules, 1);
  EXPECT_EQ(told_.unloaded_methods, 1);
  EXPECT_EQ(told_.events, 0);
}

TEST_F(ObservationSessionTest, AnUnloadingWaitsForAnObserverThatIsStarting) {
  std::thread unloading;
  std::atomic<bool> comes{false}, passed{false};
  bool passed_meanwhile = false;
  told_.is_done = true;
  told_.on_start = [&] {
    unloading = std::thread([&] {
      comes = true;
      session_.OnModuleUnload(1);
      passed = true;
    });
    while (!comes) SleepMs(1);
    SleepMs(50);  // enough for one that does not wait
    passed_meanwhile = passed;
  };
  StartObserving();
  unloading.join();
  EXPECT_FALSE(passed_meanwhile);
  EXPECT_EQ(HearUntil(FrameKind::kDetached), FrameKind::kDetached);
  ExpectLeft();
}

TEST_F(ObservationSessionTest, OneThatWouldStayIsRefusedWhereItCouldNotBeReached) {
  setenv("CAIRN_CONTROL_DIR", "/nowhere", 1);
  setenv("TMPDIR", "/nowhere", 1);
  told_.stays = true;
  ASSERT_EQ(Attach(), abi::kOk);
  ASSERT_EQ(Hear(), FrameKind::kHello);
  Say(client_, FrameKind::kOrder, {});
  EXPECT_EQ(Hear(), FrameKind::kRefused);
  unsetenv("TMPDIR");
  ExpectLeft();
  for (const uint32_t mask : runtime_.low_masks) EXPECT_EQ(mask & abi::kEnableRejit, 0u) << "nobody could leave";
  EXPECT_EQ(runtime_.sessions_started, 0);
}

TEST_F(ObservationSessionTest, LeavesWhenItsClientDies) {
  StartObserving();
  close(client_);
  client_ = -1;
  ExpectLeft();
}

TEST_F(ObservationSessionTest, LeavesWhenNoWishesCome) {
  ASSERT_EQ(Attach(), abi::kOk);
  ASSERT_EQ(Hear(), FrameKind::kHello);
  Say(client_, FrameKind::kCancel, {});
  ExpectLeft();
  EXPECT_EQ(runtime_.sessions_started, 0);
}

TEST_F(ObservationSessionTest, EndsByItselfWhenTheObserverIsDone) {
  told_.is_done = true;
  StartObserving();
  EXPECT_EQ(HearUntil(FrameKind::kDetached), FrameKind::kDetached);
  ExpectLeft();
}

TEST_F(ObservationSessionTest, TheObserversRefusalIsSaid) {
  told_.refusal = &kMemoryLimit;
  ASSERT_EQ(Attach(), abi::kOk);
  ASSERT_EQ(Hear(), FrameKind::kHello);
  Say(client_, FrameKind::kOrder, {});
  EXPECT_EQ(Hear(), FrameKind::kRefused);
  ExpectLeft();
}

TEST_F(ObservationSessionTest, WithoutAThreadItIsOverWithTheDetach) {
  {
    const NoThreads none;
    ASSERT_EQ(Attach(), abi::kOk);
  }
  EXPECT_EQ(Hear(), FrameKind::kHello);
  EXPECT_EQ(Hear(), FrameKind::kRefused);
  EXPECT_EQ(Hear(), FrameKind{}) << "the connection ends with it";
  ExpectLeft();
  close(client_);
  told_.is_done = true;
  StartObserving();
  EXPECT_EQ(HearUntil(FrameKind::kDetached), FrameKind::kDetached);
  WaitUntil([&] { return !session_.IsActive(); });
}

TEST_F(ObservationSessionTest, WithoutAThreadForItsEventsItSaysSo) {
  std::unique_ptr<NoThreads> none;
  std::atomic<bool> again{false};
  told_.on_start = [&] { none = std::make_unique<NoThreads>(); };
  runtime_.on_detach_request = [&] {
    WaitUntil([&] { return again.load(); });
    std::thread([this] { session_.OnDetached(); }).detach();
  };
  ASSERT_EQ(Attach(), abi::kOk);
  ASSERT_EQ(Hear(), FrameKind::kHello);
  Say(client_, FrameKind::kOrder, {});
  ASSERT_EQ(Hear(), FrameKind::kRefused);
  protocol::Refused refused;
  stream::RecordReader reader(heard_);
  reader(refused);
  EXPECT_EQ(refused.code, "target.no_thread");
  none.reset();
  again = true;
  ExpectLeft();
}

// It says so, and leaves, however far it had come; the next one finds nothing of it.
TEST_F(ObservationSessionTest, OneThatLacksMemorySaysSo) {
  for (const bool at_start : {true, false}) {
    (at_start ? told_.on_start : told_.on_finish) = [] { throw std::bad_alloc(); };
    told_.is_done = true;
    ASSERT_EQ(Attach(), abi::kOk);
    ASSERT_EQ(Hear(), FrameKind::kHello);
    Say(client_, FrameKind::kOrder, {});
    ASSERT_EQ(HearUntil(FrameKind::kRefused), FrameKind::kRefused);
    protocol::Refused refused;
    stream::RecordReader reader(heard_);
    reader(refused);
    EXPECT_EQ(refused.code, "memory.refused");
    WaitUntil([&] { return !session_.IsActive(); });
    EXPECT_EQ(told_.alive, 0);
    EXPECT_EQ(runtime_.references, 0);
    told_.on_start = told_.on_finish = {};
    close(client_);
    client_ = -1;
  }
}

// The runtime frees its interface after an attach that failed: nothing of it may be kept for the next one.
TEST_F(ObservationSessionTest, AnAttachThatLacksMemoryLeavesNothing) {
  FakeInterface::Slot& set_mask = reinterpret_cast<FakeInterface*>(runtime_.As())->slots[82];
  const FakeInterface::Slot sets = set_mask;
  set_mask =
      reinterpret_cast<FakeInterface::Slot>(+[](void*, uint32_t, uint32_t) -> abi::HRESULT { throw std::bad_alloc(); });
  EXPECT_THROW(session_.Attach(runtime_.As<abi::IUnknown>(), options_, false), std::bad_alloc);
  EXPECT_EQ(runtime_.references, 0);
  EXPECT_FALSE(session_.IsActive());
  close(accept(listener_, nullptr, nullptr));
  set_mask = sets;
  told_.is_done = true;
  StartObserving();
  EXPECT_EQ(HearUntil(FrameKind::kDetached), FrameKind::kDetached);
  ExpectLeft();
}

TEST_F(ObservationSessionTest, RefusesBesideAnotherProfiler) {
  EXPECT_EQ(Attach(true), abi::kErrorProfilerCancelActivation);
  EXPECT_EQ(Hear(), FrameKind::kHello);
  EXPECT_EQ(Hear(), FrameKind::kRefused);
  EXPECT_FALSE(session_.IsActive());
  EXPECT_TRUE(runtime_.low_masks.empty());
}

TEST_F(ObservationSessionTest, WhoAsksToDetachOneThatStaysIsAnsweredEachTime) {
  told_.stays = true;
  StartObserving();
  ExpectDetachIsRefused();
  StartAnother();
  ExpectDetachIsRefused();
  EXPECT_EQ(runtime_.detaches, 0);
  session_.OnShutdown();
}

TEST_F(ObservationSessionTest, TheExitWaitsForTheLastWordOfALaterObservationToo) {
  told_.stays = true;
  StartObserving();
  Say(client_, FrameKind::kCancel, {}, 1);
  EXPECT_EQ(HearUntil(FrameKind::kObservationEnd), FrameKind::kObservationEnd);
  StartAnother();
  const uint64_t began_ns = NowNs();
  session_.OnShutdown();
  EXPECT_TRUE(told_.finished == 2 || NowNs() - began_ns >= 200'000'000) << "it waits 200 ms at most";
  WaitUntil([&] { return told_.finished == 2; });
}

TEST_F(ObservationSessionTest, SaysItsLastWordAsTheProcessEnds) {
  StartObserving();
  session_.OnShutdown();
  EXPECT_TRUE(told_.shutdown);
  EXPECT_EQ(HearUntil(FrameKind::kObservationEnd), FrameKind::kObservationEnd);
  protocol::ObservationEnd end;
  stream::RecordReader reader(heard_);
  reader(end);
  EXPECT_TRUE(end.target_exits);
  EXPECT_EQ(runtime_.sessions_stopped, 0) << "the runtime is not touched any more";
  EXPECT_EQ(runtime_.detaches, 0);
}

}  // namespace
}  // namespace cairn::collector
