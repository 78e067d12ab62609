// Whole captures against a runtime and a collector made up here.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "collector/client/capture_listener.h"
#include "collector/client/frame_reader.h"
#include "collector/client/library_placement.h"
#include "collector/client/on_machine.h"
#include "snapshot-format/file/snapshot_reader.h"
#include "snapshot-format/file/verifier.h"
#include "tests/collector/client/fake_collector.h"
#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/fake_runtime.h"
#include "tests/collector/client/small_elf.h"

namespace cairn::client {
namespace {

namespace fs = std::filesystem;
using protocol::FrameKind;
using testing::AttachSeen;
using testing::ConnectTo;
using testing::Conversation;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::FakeMachine;
using testing::FakeProcess;
using testing::FakeRuntime;
using testing::FrameBytes;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeElf;
using testing::Say;
using testing::SendFrames;
using testing::Sent;

constexpr uint32_t kTimedOut = 0x80131379, kActive = 0x8013136A, kCancelled = 0x80131375;

class CaptureTest : public ::testing::Test {
 protected:
  CaptureTest() {
    machine_.Add({});
    machine_.AddLibrary(library_);
    runtime_ = std::make_unique<FakeRuntime>(machine_.Here("/t/dotnet-diagnostic-7-4711-socket"));
    request_.target.pid = getpid();
    request_.output = Output();
    request_.gc = protocol::GcRequest::kFull;
    request_.timeout = milliseconds(20000);
    UseCollector([](int fd, const protocol::Options& options) { SendFrames(fd, Frames(options)); });
  }
  ~CaptureTest() override { JoinCollectors(); }
  // Before what a collector refers to goes out of scope.
  void JoinCollectors() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  std::string Output() const { return machine_.File("out/a.cairn"); }

  static std::vector<Sent> Frames(const protocol::Options& options) {
    Conversation talk;
    std::copy(std::begin(options.nonce), std::end(options.nonce), talk.hello.nonce);
    return talk.Frames();
  }

  using Collector = std::function<void(int fd, const protocol::Options& options)>;
  // The collector connects before the attach is answered, as the real one does, and talks on a thread.
  void UseCollector(Collector collector) {
    runtime_->on_attach = [this, collector](const AttachSeen& seen) {
      const int fd = ConnectTo(machine_.Here(seen.options.socket_path));
      if (fd < 0) return 0x80004005u;
      threads_.emplace_back([collector, fd, options = seen.options] {
        collector(fd, options);
        close(fd);
      });
      return 0u;
    };
  }

  Result<CaptureResult> Capture() {
    auto result = CaptureOn(
        machine_.Machine(), request_, [this](const CaptureProgress& progress) { said_.push_back(progress.text); },
        cancel_);
    // Whatever happened, nothing of the capture stays beside the runtime's socket but the placed library.
    for (const std::string& name : machine_.Names("/t")) EXPECT_FALSE(IsListenerName(name)) << name;
    const std::string placed = "/t/" + PlacementFolderName(geteuid());
    if (fs::exists(machine_.Here(placed))) {
      EXPECT_THAT(machine_.Names(placed), Each(PlacedName(library_)));
    }
    return result;
  }
  // Code of a capture that must fail and leave no file.
  std::string Code() {
    const auto result = Capture();
    EXPECT_FALSE(result);
    if (result) return "";
    EXPECT_FALSE(result.error().message.empty());
    EXPECT_TRUE(fs::is_empty(machine_.File("out")));
    last_ = result.error();
    return last_.code;
  }

  const std::string library_ = MakeElf({});
  FakeMachine machine_;
  std::vector<std::thread> threads_;
  std::unique_ptr<FakeRuntime> runtime_;
  CaptureRequest request_;
  std::atomic<bool> cancel_{false};
  std::vector<std::string> said_;
  Error last_;
};

TEST_F(CaptureTest, Works) {
  const auto result = Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->path, Output());
  EXPECT_TRUE(result->summary.complete);
  EXPECT_EQ(result->summary.process.name, "shop");
  EXPECT_EQ(result->summary.process.pid, getpid());
  EXPECT_EQ(result->summary.process.command_line, "/usr/bin/dotnet /app/shop.dll --fast");
  EXPECT_EQ(result->summary.process.architecture, "x64");
  EXPECT_GT(result->summary.capture.elapsed_ms, 0);
  auto reader = snapshot::SnapshotReader::Open(Output());
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_THAT(snapshot::Verify(**reader)->errors, IsEmpty());
  struct stat info {};
  ASSERT_EQ(stat(Output().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(said_.front(), "attaching");
  EXPECT_EQ(said_.back(), "the application runs again; naming types and roots");
}

TEST_F(CaptureTest, TheAttachCarriesEverything) {
  ASSERT_TRUE(Capture());
  const auto attaches = runtime_->Attaches();
  ASSERT_EQ(attaches.size(), 1u);
  EXPECT_EQ(attaches[0].timeout_ms, 5u);
  EXPECT_EQ(attaches[0].clsid,
            std::vector<uint8_t>(std::begin(protocol::kCollectorClsid), std::end(protocol::kCollectorClsid)));
  EXPECT_EQ(attaches[0].library, "/t/" + PlacementFolderName(geteuid()) + "/" + PlacedName(library_));
  EXPECT_EQ(attaches[0].options.gc, protocol::GcRequest::kFull);
  EXPECT_THAT(attaches[0].options.socket_path, ::testing::StartsWith("/t/cairn-"));
}

TEST_F(CaptureTest, TheListenerIsPrivate) {
  mode_t mode = 0;
  UseCollector([&](int fd, const protocol::Options& options) {
    struct stat info {};
    stat(machine_.Here(options.socket_path).c_str(), &info);
    mode = info.st_mode & 0777;
    SendFrames(fd, Frames(options));
  });
  ASSERT_TRUE(Capture());
  JoinCollectors();
  EXPECT_EQ(mode, 0600u);
}

TEST_F(CaptureTest, EveryCaptureHasItsOwnSecret) {
  ASSERT_TRUE(Capture());
  request_.overwrite = true;
  ASSERT_TRUE(Capture());
  const auto attaches = runtime_->Attaches();
  ASSERT_EQ(attaches.size(), 2u);
  EXPECT_NE(std::memcmp(attaches[0].options.nonce, attaches[1].options.nonce, 16), 0);
  EXPECT_STRNE(attaches[0].options.socket_path, attaches[1].options.socket_path);
}

TEST_F(CaptureTest, RetriesWhileABackgroundCollectionRuns) {
  int tries = 0;
  const auto attach = runtime_->on_attach;
  runtime_->on_attach = [&](const AttachSeen& seen) {
    // The collector connects each time and leaves when the event mask is refused.
    if (++tries < 4) {
      const int fd = ConnectTo(machine_.Here(seen.options.socket_path));
      SendFrames(fd, {Frames(seen.options).front()});
      close(fd);
      return kTimedOut;
    }
    return attach(seen);
  };
  const auto result = Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->summary.complete);
  const auto attaches = runtime_->Attaches();
  ASSERT_EQ(attaches.size(), 4u);
  EXPECT_EQ(attaches[0].timeout_ms, 5u);
  for (size_t i = 1; i < 4; ++i) {
    EXPECT_GE(attaches[i].timeout_ms, 1u);
    EXPECT_LE(attaches[i].timeout_ms, 5u);
  }
  EXPECT_THAT(said_, ::testing::Contains("waiting for a background collection to end"));
}

// ---- before anything is done to the target ---------------------------------------------------------------

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

// ---- the attach fails ------------------------------------------------------------------------------------

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

// ---- the conversation goes wrong -------------------------------------------------------------------------

TEST_F(CaptureTest, WrongSecret) {
  UseCollector([](int fd, const protocol::Options&) { SendFrames(fd, Conversation().Frames()); });
  EXPECT_EQ(Code(), "stream.nonce");
}

TEST_F(CaptureTest, NoGreeting) {
  UseCollector([](int fd, const protocol::Options& options) {
    auto frames = Frames(options);
    frames.erase(frames.begin());
    SendFrames(fd, frames);
  });
  EXPECT_EQ(Code(), "stream.no_hello");
}

TEST_F(CaptureTest, AnotherVersion) {
  UseCollector([](int fd, const protocol::Options& options) {
    Conversation talk;
    std::copy(std::begin(options.nonce), std::end(options.nonce), talk.hello.nonce);
    talk.hello.version = 99;
    SendFrames(fd, talk.Frames());
  });
  EXPECT_EQ(Code(), "stream.version");
}

TEST_F(CaptureTest, DamagedFrames) {
  const auto with = [&](const std::function<void(std::vector<uint8_t>&)>& damage) {
    UseCollector([damage](int fd, const protocol::Options& options) {
      const auto frames = Frames(options);
      for (size_t i = 0; i < frames.size(); ++i) {
        auto bytes = FrameBytes(frames[i], i);
        if (i == 2) damage(bytes);
        if (send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) return;
      }
    });
    return Code();
  };
  EXPECT_EQ(with([](auto& bytes) { bytes.back() ^= 1; }), "stream.checksum");
  EXPECT_EQ(with([](auto& bytes) { bytes[0] ^= 1; }), "stream.magic");
  EXPECT_EQ(with([](auto& bytes) { bytes[11] = 0x7F; }), "stream.size");
  EXPECT_EQ(with([](auto& bytes) {
              Sent sent = {FrameKind::kRanges, {bytes.begin() + 24, bytes.end()}};
              bytes = FrameBytes(sent, 9);
            }),
            "stream.order");
}

TEST_F(CaptureTest, CutAfterEveryFrame) {
  const size_t count = Conversation().Frames().size();
  for (size_t keep = 0; keep + 1 < count; ++keep) {
    UseCollector([keep](int fd, const protocol::Options& options) {
      auto frames = Frames(options);
      frames.resize(keep);
      SendFrames(fd, frames);
    });
    EXPECT_EQ(Code(), "capture.cut") << keep;
  }
}

TEST_F(CaptureTest, CutBeforeTheEndIsKeptAsIncomplete) {
  UseCollector([](int fd, const protocol::Options& options) {
    auto frames = Frames(options);
    frames.pop_back();
    SendFrames(fd, frames);
  });
  const auto result = Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_FALSE(result->summary.complete);
  ASSERT_EQ(result->summary.problems.size(), 1u);
  EXPECT_EQ(result->summary.problems[0].code, "capture.cut");
  EXPECT_TRUE(snapshot::SnapshotReader::Open(Output()));
}

TEST_F(CaptureTest, TheTargetEndsWhileSending) {
  UseCollector([this](int fd, const protocol::Options& options) {
    auto frames = Frames(options);
    frames.pop_back();
    SendFrames(fd, frames);
    machine_.Remove(getpid());
  });
  const auto result = Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->summary.problems.at(0).code, "target.exited");
}

TEST_F(CaptureTest, SilenceEndsTheCapture) {
  std::atomic<bool> done{false};
  UseCollector([&](int fd, const protocol::Options& options) {
    SendFrames(fd, {Frames(options).front()});
    while (!done) std::this_thread::sleep_for(milliseconds(1));
    Frame frame;
    FrameReader reader;
    // The client says that it gives up before it hangs up.
    const auto got = reader.Read(fd, frame);
    EXPECT_TRUE(got && *got && frame.kind == FrameKind::kCancel);
  });
  request_.timeout = milliseconds(200);
  EXPECT_EQ(Code(), "target.silent");
  done = true;
  JoinCollectors();
}

TEST_F(CaptureTest, StoppedInTheMiddleSaysSo) {
  std::atomic<bool> done{false};
  UseCollector([&](int fd, const protocol::Options& options) {
    SendFrames(fd, {Frames(options).front()});
    FakeProcess process;
    process.state = 'T';
    machine_.Add(process);
    while (!done) std::this_thread::sleep_for(milliseconds(1));
  });
  request_.timeout = milliseconds(200);
  EXPECT_EQ(Code(), "target.stopped");
  done = true;
  JoinCollectors();
}

TEST_F(CaptureTest, CancelEndsTheCaptureAndTellsTheCollector) {
  std::atomic<bool> told{false};
  UseCollector([&](int fd, const protocol::Options& options) {
    SendFrames(fd, {Frames(options).front()});
    cancel_ = true;
    Frame frame;
    FrameReader reader;
    const auto got = reader.Read(fd, frame);  // blocks until the client speaks
    told = got && *got && frame.kind == FrameKind::kCancel;
  });
  EXPECT_EQ(Code(), "capture.cancelled");
  JoinCollectors();
  EXPECT_TRUE(told);
}

TEST_F(CaptureTest, AttachedButNeverCalledBack) {
  runtime_->on_attach = [](const AttachSeen&) { return 0u; };
  request_.timeout = milliseconds(300);
  const std::string code = Code();
  EXPECT_TRUE(code == "attach.no_connection" || code == "target.silent") << code;
}

// A stranger that connects first is turned away, and the collector is still heard.
TEST_F(CaptureTest, StrangersAreTurnedAway) {
  const auto attach = runtime_->on_attach;
  runtime_->on_attach = [&](const AttachSeen& seen) {
    const pid_t child = fork();
    if (child == 0) {
      const int fd = ConnectTo(machine_.Here(seen.options.socket_path));
      char byte;
      _exit(fd >= 0 && read(fd, &byte, 1) == 0 ? 0 : 1);  // it hears nothing but the end
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return attach(seen);
  };
  const auto result = Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->summary.complete);
}

}  // namespace
}  // namespace cairn::client
