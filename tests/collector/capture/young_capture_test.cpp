// Captures that take a collection of the youngest generation, induced or the application's own.

#include "tests/collector/capture/capture_service_fixture.h"

namespace cairn::collector {
namespace {

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
  uint8_t Condemned(const std::vector<SentFrame>& frames) {
    EXPECT_EQ(frames.back().kind, FrameKind::kEnd) << RefusedCode(frames);
    return Decode<protocol::WalkEnd>(frames, FrameKind::kWalkEnd).condemned;
  }
  static constexpr abi::Bool kGen0[] = {1, 0, 0, 0, 0}, kGen1[] = {1, 1, 0, 0, 0}, kAll[] = {1, 1, 1, 1, 1};
};

TEST_F(YoungCaptureTest, InducedGeneration0) {
  const std::vector<SentFrame> frames = CaptureAll();
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
  const std::vector<SentFrame> frames = CaptureAll();
  EXPECT_EQ(Condemned(frames), 0);
  EXPECT_EQ(std::ranges::count(frames, FrameKind::kTypeNames, &SentFrame::kind), 1);
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
    const std::vector<SentFrame> frames = ReadAll(client);
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

}  // namespace
}  // namespace cairn::collector
