// Captures that end before anything is done to the target.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "collector/client/library_placement.h"
#include "collector/client/on_machine.h"
#include "tests/collector/client/capture_fixture.h"

namespace cairn::client {
namespace {

namespace fs = std::filesystem;
using testing::AttachSeen;
using testing::FakeProcess;
using testing::FakeRuntime;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeElf;
using testing::SendFrames;

class BeforeAttachTest : public CaptureTest {
 protected:
  std::string CodeUntouched() {
    const std::string code = Code();
    EXPECT_THAT(runtime_ ? runtime_->Attaches() : std::vector<AttachSeen>(), IsEmpty());
    return code;
  }
};

TEST_F(BeforeAttachTest, WaitingForNothingIsRefusedWithoutAWord) {
  request_.wait_natural_ms = 10;
  request_.gc = protocol::GcRequest::kFull;
  EXPECT_EQ(CodeUntouched(), "usage.wait_natural");
  EXPECT_THAT(last_.hint, HasSubstr("--gc full"));
  EXPECT_THAT(runtime_->Commands(), IsEmpty());
}

TEST_F(BeforeAttachTest, NoSuchProcess) {
  request_.target.pid = 99;
  EXPECT_EQ(CodeUntouched(), "target.not_found");
  EXPECT_THAT(last_.message, HasSubstr("99"));
}

TEST_F(BeforeAttachTest, NotDotnet) {
  runtime_.reset();
  FakeProcess process;
  process.mapped = {"/lib/x86_64-linux-gnu/libc.so.6"};
  machine_.Add(process);
  EXPECT_EQ(CodeUntouched(), "target.not_dotnet");
}

TEST_F(BeforeAttachTest, NativeAot) {
  FakeProcess process;
  process.mapped = {};
  process.executable_bytes = MakeElf({3, 62, {}, {"__managedcode"}});
  machine_.Add(process);
  EXPECT_EQ(CodeUntouched(), "target.native_aot");
}

TEST_F(BeforeAttachTest, AnotherUsers) {
  FakeProcess process;
  process.uid = geteuid() + 1;
  machine_.Add(process);
  machine_.Machine().uid = geteuid() + 2;
  EXPECT_EQ(CodeUntouched(), "target.other_user");
}

TEST_F(BeforeAttachTest, StoppedAndTraced) {
  FakeProcess process;
  process.state = 'T';
  machine_.Add(process);
  EXPECT_EQ(CodeUntouched(), "target.stopped");
  EXPECT_THAT(runtime_->Commands(), IsEmpty());
  process.state = 't';
  machine_.Add(process);
  EXPECT_EQ(CodeUntouched(), "target.traced");
}

TEST_F(BeforeAttachTest, NoSocket) {
  runtime_.reset();
  EXPECT_EQ(CodeUntouched(), "target.no_socket");
  FakeProcess process;
  process.environment = {"DOTNET_EnableDiagnostics=0"};
  machine_.Add(process);
  EXPECT_EQ(CodeUntouched(), "target.diagnostics_off");
}

TEST_F(BeforeAttachTest, NotResponding) {
  runtime_->manner = FakeRuntime::Manner::kSilent;
  EXPECT_EQ(CodeUntouched(), "target.not_responding");
}

TEST_F(BeforeAttachTest, OtherProfiler) {
  FakeProcess process;
  process.environment = {"CORECLR_PROFILER_PATH=/opt/libapm.so"};
  process.mapped.push_back("/opt/libapm.so");
  machine_.Add(process);
  request_.gc = protocol::GcRequest::kYoung;
  EXPECT_EQ(CodeUntouched(), "attach.other_profiler");
  EXPECT_THAT(last_.message, HasSubstr("/opt/libapm.so"));
  EXPECT_THAT(last_.hint, HasSubstr("--gc full"));
}

TEST_F(BeforeAttachTest, ResidentCollector) {
  FakeRuntime control(machine_.Here("/t/cairn-7-4711-control"));
  EXPECT_EQ(CodeUntouched(), "attach.resident");
  EXPECT_THAT(last_.hint, HasSubstr("cairn detach"));
}

TEST_F(BeforeAttachTest, LibraryFaults) {
  const std::string path = machine_.AddLibrary(MakeElf({3, 183, {}, {}}));
  EXPECT_EQ(CodeUntouched(), "library.wrong_architecture");
  machine_.AddLibrary(MakeElf({3, 62, {"libc.musl-x86_64.so.1"}, {}}));
  EXPECT_EQ(CodeUntouched(), "library.wrong_libc");
  machine_.AddLibrary("no library");
  EXPECT_EQ(CodeUntouched(), "library.not_elf");
  fs::remove(path);
  EXPECT_EQ(CodeUntouched(), "library.missing");
}

TEST_F(BeforeAttachTest, OutputFaults) {
  request_.output = machine_.File("nowhere/a.cairn");
  EXPECT_EQ(CodeUntouched(), "output.no_folder");
  request_.output = "/proc/a.cairn";  // not even root may
  EXPECT_EQ(CodeUntouched(), "output.unwritable");
}

TEST_F(BeforeAttachTest, ExistingOutputIsRefusedAndKept) {
  testing::WriteFile(Output(), "mine");
  const auto result = Capture();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "output.exists");
  EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
  std::string content;
  std::ifstream(Output()) >> content;
  EXPECT_EQ(content, "mine");
  request_.overwrite = true;
  EXPECT_TRUE(Capture());
}

TEST_F(BeforeAttachTest, OneCaptureAtATime) {
  std::string inner;
  const auto attach = runtime_->on_attach;
  UseCollector([&](int fd, const protocol::Options& options) {
    CaptureRequest second = request_;
    second.output = machine_.File("out/b.cairn");
    const auto result = CaptureOn(machine_.Machine(), second, {}, cancel_);
    inner = result ? "worked" : result.error().code;
    SendFrames(fd, Frames(options));
  });
  // The lock is looked at before the second attach; the fake runtime can answer ProcessInfo meanwhile.
  ASSERT_TRUE(Capture());
  JoinCollectors();
  EXPECT_EQ(inner, "attach.in_progress");
  EXPECT_EQ(runtime_->Attaches().size(), 1u);
}

TEST_F(BeforeAttachTest, ALockOfADeadCaptureDoesNotCount) {
  const std::string folder = machine_.Here("/t/" + PlacementFolderName(geteuid()));
  fs::create_directory(folder);
  testing::WriteFile(folder + "/capture-7-4711.lock", "");
  EXPECT_TRUE(Capture());
}

}  // namespace
}  // namespace cairn::client
