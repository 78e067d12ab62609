// Captures whose attach fails, or goes beside another profiler.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "tests/collector/client/capture_fixture.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;
using testing::AttachSeen;
using testing::ConnectTo;
using testing::FakeProcess;
using testing::FakeRuntime;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Say;
using testing::SendFrames;

constexpr uint32_t kActive = 0x8013136A, kCancelled = 0x80131375;

TEST_F(CaptureTest, EveryRefusalOfTheRuntimeKeepsItsCode) {
  const std::pair<uint32_t, const char*> cases[] = {
      {kActive, "attach.other_profiler"}, {0x8007007E, "attach.not_loaded"},   {0x80131515, "attach.not_supported"},
      {0x8013135B, "attach.not_yet"},     {kCancelled, "attach.cancelled"},    {0x8BADF00D, "attach.unknown_reason"},
      {0x80131384, "ipc.bad_encoding"},   {0x80131371, "attach.shutting_down"}};
  for (const auto& [hresult, code] : cases) {
    runtime_->on_attach = [hresult = hresult](const AttachSeen&) { return hresult; };
    EXPECT_EQ(Code(), code);
    EXPECT_THAT(said_, ::testing::Not(IsEmpty()));
  }
}

TEST_F(CaptureTest, AnEarlierCollectorIsToldFromAnotherProfiler) {
  FakeProcess process;
  process.mapped.push_back("/t/cairn-0/libcairn_collector-0123456789abcdef.so");
  machine_.Add(process);
  runtime_->on_attach = [](const AttachSeen&) { return kActive; };
  EXPECT_EQ(Code(), "attach.resident");
}

TEST_F(CaptureTest, AFullCaptureGoesBesideAProfilerThatWasThereFromTheStart) {
  FakeProcess process;
  process.environment = {"CORECLR_PROFILER_PATH=/opt/libapm.so"};
  process.mapped.push_back("/opt/libapm.so");
  machine_.Add(process);
  const auto result = Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->summary.complete);
  ASSERT_EQ(result->summary.problems.size(), 1u);
  EXPECT_EQ(result->summary.problems[0].code, "attach.beside_profiler");
  EXPECT_THAT(result->summary.problems[0].message, HasSubstr("/opt/libapm.so"));
  const auto attaches = runtime_->Attaches();
  ASSERT_EQ(attaches.size(), 1u) << "the main place is not even asked for";
  EXPECT_TRUE(std::ranges::equal(attaches[0].clsid, protocol::kBesideClsid));
  EXPECT_EQ(attaches[0].options.light, 1);
}

TEST_F(CaptureTest, AFullCaptureGoesBesideAProfilerThatWasAttached) {
  const auto attach = runtime_->on_attach;
  runtime_->on_attach = [&](const AttachSeen& seen) {
    return std::ranges::equal(seen.clsid, protocol::kCollectorClsid) ? kActive : attach(seen);
  };
  const auto result = Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->summary.problems, ::testing::SizeIs(1));
  const auto attaches = runtime_->Attaches();
  // The other may be a collector of ours on its way out: the main place is asked for three times.
  ASSERT_EQ(attaches.size(), 4u);
  EXPECT_EQ(attaches[2].options.light, 0);
  EXPECT_TRUE(std::ranges::equal(attaches[3].clsid, protocol::kBesideClsid));
  EXPECT_EQ(attaches[3].options.light, 1);
  EXPECT_THAT(said_, ::testing::Contains("another profiler is active; attaching beside it"));
}

TEST_F(CaptureTest, TheCollectorsOwnRefusalIsShown) {
  runtime_->on_attach = [&](const AttachSeen& seen) {
    const int fd = ConnectTo(machine_.Here(seen.options.socket_path));
    const protocol::Refused refused{"memory.limit", "No room.", "Make room."};
    SendFrames(fd, {Frames(seen.options).front(), Say(FrameKind::kRefused, refused)});
    close(fd);
    return kCancelled;
  };
  EXPECT_EQ(Code(), "memory.limit");
  EXPECT_EQ(last_.message, "No room.");
  EXPECT_EQ(last_.hint, "Make room.");
}

TEST_F(CaptureTest, RefusedAfterTheAttach) {
  UseCollector([](int fd, const protocol::Options& options) {
    SendFrames(fd, {Frames(options).front(), Say(FrameKind::kRefused, protocol::Refused{"gc.timeout", "Late.", ""})});
  });
  EXPECT_EQ(Code(), "gc.timeout");
}

TEST_F(CaptureTest, TheRuntimeNeverAnswersTheAttach) {
  runtime_->attach_manner = FakeRuntime::Manner::kSilent;
  runtime_->on_attach = [](const AttachSeen&) { return 0u; };
  request_.timeout = milliseconds(150);
  EXPECT_EQ(Code(), "attach.timeout");
}

TEST_F(CaptureTest, TheRuntimeHangsUpDuringTheAttach) {
  runtime_->attach_manner = FakeRuntime::Manner::kHangUp;
  EXPECT_EQ(Code(), "ipc.closed");
}

TEST_F(CaptureTest, TheTargetEndsDuringTheAttach) {
  runtime_->attach_manner = FakeRuntime::Manner::kHangUp;
  request_.target.pid = getpid();
  std::thread killer([&] {
    while (runtime_->Attaches().empty()) std::this_thread::yield();
    machine_.Remove(getpid());
  });
  EXPECT_EQ(Code(), "target.exited");
  killer.join();
}

}  // namespace
}  // namespace cairn::client
