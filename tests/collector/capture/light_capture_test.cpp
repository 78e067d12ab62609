// Captures that leave concurrent collections on, and those beside another profiler.

#include "tests/collector/capture/capture_service_fixture.h"

namespace cairn::collector {
namespace {

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
  const std::vector<SentFrame> frames = CaptureAll();
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
  std::vector<SentFrame> CaptureBeside() {
    result_ = service_.Attach(runtime_.As<abi::IUnknown>(), &options_, sizeof options_, true);
    if (abi::Succeeded(result_)) service_.AttachComplete();
    return ReadAll(listener_.Accept());
  }
};

TEST_F(BesideCaptureTest, TakesRootsFromEventsAndLeaves) {
  for (int i = 0; i < 2; ++i) {
    const std::vector<SentFrame> frames = CaptureBeside();
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
  std::vector<SentFrame> frames;
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
