// Captures whose conversation with the collector goes wrong.

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <thread>

#include "collector/client/frame_reader.h"
#include "snapshot-format/file/snapshot_reader.h"
#include "tests/collector/client/capture_fixture.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;
using testing::AttachSeen;
using testing::ConnectTo;
using testing::Conversation;
using testing::FakeProcess;
using testing::FrameBytes;
using testing::SendFrames;
using testing::Sent;

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
