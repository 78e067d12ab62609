// What comes over the second connection of a capture, and what becomes of the snapshot when it ends early.

#include "collector/client/child_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collector/client/assembler.h"
#include "collector/client/machine_constants.h"
#include "snapshot-format/file/snapshot_reader.h"
#include "snapshot-format/file/verifier.h"
#include "tests/collector/client/fake_collector.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::client {
namespace {

using protocol::ChildFate;
using protocol::FrameKind;
using ::testing::Contains;
using testing::Conversation;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Say;
using testing::Sent;

// The small heap of the fake collector, told by a collector that forked.
class ForkedConversation {
 public:
  ForkedConversation() {
    talk_.walk.forked = true;
    talk_.walk.edges = talk_.walk.chunks = 0;
    talk_.ranges.ranges[0].edges = 0;
    talk_.walk.pause_fork_ms = 3.5;
    walk.edges = 5;
    walk.chunks = 1;
    walk.copied_bytes = 4096;
    walk.range_edges = {5};
    end.child_ms = 70.5;
  }
  std::vector<Sent> Main() const {
    std::vector<Sent> frames;
    for (const Sent& frame : talk_.Frames())
      if (frame.kind != FrameKind::kChunk && frame.kind != FrameKind::kEnd) frames.push_back(frame);
    frames.push_back({FrameKind::kNamed, {}});
    frames.push_back(Say(FrameKind::kChildEnd, end));
    frames.push_back(Say(FrameKind::kEnd, protocol::End{0, frames.size() + 1}));
    return frames;
  }
  std::vector<Sent> Child() const {
    protocol::Hello hello = talk_.hello;
    hello.of_child = true;
    std::vector<Sent> frames = {Say(FrameKind::kHello, hello)};
    frames.insert(frames.end(), talk_.chunks.begin(), talk_.chunks.end());
    frames.push_back(Say(FrameKind::kChildWalk, walk));
    frames.push_back(Say(FrameKind::kEnd, protocol::End{1, frames.size() + 1}));
    return frames;
  }

  protocol::ChildWalkFrame walk;
  protocol::ChildEnd end;

 private:
  Conversation talk_;
};

class ForkedCaptureTest : public ::testing::Test {
 protected:
  ForkedCaptureTest() {
    CaptureContext context;
    context.process.architecture = "x64";
    context.captured_at = "2026-11-29T22:00:00Z";
    context.started = Clock::now();
    context.output = folder_.File("a.cairn");
    auto writer = snapshot::SnapshotWriter::Create(context.output, {true, {}});
    EXPECT_TRUE(writer);
    assembler_ = std::make_unique<Assembler>(std::move(*writer), context);
  }
  // Frames [from, to) of one side; the error code of the first that is refused.
  std::string Feed(const std::vector<Sent>& frames, bool of_child, size_t to = ~size_t{0}) {
    for (size_t i = 0; i < frames.size() && i < to; ++i)
      if (const Status status = assembler_->Accept({frames[i].kind, i, frames[i].payload, of_child}); !status)
        return status.error().code;
    return "";
  }
  static std::vector<std::string> Codes(const CaptureResult& result) {
    std::vector<std::string> codes;
    for (const auto& problem : result.summary.problems) codes.push_back(problem.code);
    return codes;
  }

  ForkedConversation talk_;
  snapshot::testing::TemporaryFolder folder_;
  std::unique_ptr<Assembler> assembler_;
};

TEST_F(ForkedCaptureTest, BothTogetherAreASnapshotThatVerifies) {
  ASSERT_EQ(Feed(talk_.Main(), false), "");
  ASSERT_EQ(Feed(talk_.Child(), true), "");
  const auto result = assembler_->Finish(std::nullopt);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->summary.complete);
  EXPECT_THAT(result->summary.problems, IsEmpty());
  EXPECT_EQ(result->summary.capture.method, "fork");
  EXPECT_EQ(result->summary.capture.pause_ms.fork_ms, 3.5);
  EXPECT_EQ(result->summary.capture.child_ms, 70.5);
  EXPECT_EQ(result->summary.capture.memory.copied_bytes, 4096u);
  EXPECT_EQ(result->summary.totals.edges, 5u);
  auto reader = snapshot::SnapshotReader::Open(folder_.File("a.cairn"));
  ASSERT_TRUE(reader);
  EXPECT_THAT(snapshot::Verify(**reader)->errors, IsEmpty());
}

TEST_F(ForkedCaptureTest, AChildThatDiedIsNamed) {
  talk_.end = {ChildFate::kKilled, 9, 12};
  ASSERT_EQ(Feed(talk_.Main(), false), "");
  ASSERT_EQ(Feed(talk_.Child(), true, 2), "") << "the greeting and the chunk, not its counts";
  const auto result = assembler_->Finish(std::nullopt);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->summary.complete);
  EXPECT_THAT(Codes(*result), ElementsAre("fork.child_died"));
  EXPECT_THAT(result->summary.problems[0].message, HasSubstr("killed by signal 9"));
}

TEST_F(ForkedCaptureTest, EveryFateHasItsWords) {
  const std::pair<ChildFate, const char*> fates[] = {{ChildFate::kClientGone, "connection broke"},
                                                     {ChildFate::kClientSilent, "nobody took"},
                                                     {ChildFate::kNoMemory, "memory became short"},
                                                     {ChildFate::kFault, "exit code 43"}};
  for (const auto& [fate, words] : fates) {
    talk_.end.fate = fate;
    CaptureContext context;
    context.output = folder_.File("b.cairn");
    auto writer = snapshot::SnapshotWriter::Create(context.output, {true, {}});
    assembler_ = std::make_unique<Assembler>(std::move(*writer), context);
    ASSERT_EQ(Feed(talk_.Main(), false), "");
    ASSERT_EQ(Feed(talk_.Child(), true, 2), "");
    const auto result = assembler_->Finish(std::nullopt);
    ASSERT_TRUE(result);
    EXPECT_THAT(result->summary.problems[0].message, HasSubstr(words));
  }
}

TEST_F(ForkedCaptureTest, TheChildOutlivesItsTarget) {
  const std::vector<Sent> main = talk_.Main();
  ASSERT_EQ(Feed(main, false, main.size() - 2), "") << "up to kNamed";
  ASSERT_EQ(Feed(talk_.Child(), true), "");
  const auto result = assembler_->Finish(Error{ErrorKind::kFailed, "target.exited", "The target ended.", ""});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->summary.complete);
  EXPECT_THAT(Codes(*result), ElementsAre("target.exited"));
}

TEST_F(ForkedCaptureTest, WithoutObjectsThereIsNoFile) {
  ASSERT_EQ(Feed(talk_.Main(), false), "");
  const auto result = assembler_->Finish(std::nullopt);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "fork.child_died");
}

TEST_F(ForkedCaptureTest, CountsThatDoNotFitAreRefused) {
  talk_.walk.range_edges = {5, 5};
  ASSERT_EQ(Feed(talk_.Main(), false), "");
  EXPECT_EQ(Feed(talk_.Child(), true), "stream.child");
}

TEST_F(ForkedCaptureTest, OtherCountsThanTheChunksHold) {
  talk_.walk.edges = 6;
  talk_.walk.range_edges = {6};
  ASSERT_EQ(Feed(talk_.Main(), false), "");
  ASSERT_EQ(Feed(talk_.Child(), true), "");
  const auto result = assembler_->Finish(std::nullopt);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->summary.complete);
  EXPECT_THAT(Codes(*result), Contains("walk.count_mismatch"));
}

TEST_F(ForkedCaptureTest, AGreetingOnTheWrongConnection) {
  EXPECT_EQ(Feed(talk_.Child(), false), "stream.record");
  EXPECT_EQ(Feed(talk_.Main(), true), "stream.record");
}

// ---- the connection --------------------------------------------------------------------------------

class ChildConnectionTest : public ::testing::Test {
 protected:
  ChildConnectionTest() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets_), 0);
    connection_.Open(UniqueFd(sockets_[0]));
  }
  ~ChildConnectionTest() override {
    if (sockets_[1] >= 0) close(sockets_[1]);
  }
  void HangUp() {
    close(sockets_[1]);
    sockets_[1] = -1;
  }
  Result<bool> Read(bool ready) {
    return connection_.Read(
        ready,
        [this](const Frame&) {
          ++greetings_;
          return Status();
        },
        [this](Frame frame) {
          EXPECT_TRUE(frame.of_child);
          kinds_.push_back(frame.kind);
          return Status();
        });
  }

  int sockets_[2];
  ChildConnection connection_;
  int greetings_ = 0;
  std::vector<FrameKind> kinds_;
};

TEST_F(ChildConnectionTest, FramesWaitUntilTheyCanBeUnderstood) {
  ASSERT_TRUE(testing::SendFrames(sockets_[1], ForkedConversation().Child()));
  EXPECT_TRUE(Read(false).value());
  EXPECT_EQ(greetings_, 1);
  EXPECT_THAT(kinds_, IsEmpty());
  HangUp();
  EXPECT_FALSE(Read(false).value());
  EXPECT_FALSE(connection_.IsOpen());
  EXPECT_FALSE(connection_.Broken());
  EXPECT_TRUE(Read(true));
  EXPECT_THAT(kinds_, ElementsAre(FrameKind::kHello, FrameKind::kChunk, FrameKind::kChildWalk, FrameKind::kEnd));
}

TEST_F(ChildConnectionTest, WithoutAGreeting) {
  ASSERT_TRUE(testing::SendFrames(sockets_[1], {{FrameKind::kNamed, {}}}));
  EXPECT_EQ(Read(true).error().code, "stream.no_hello");
}

TEST_F(ChildConnectionTest, DamagedFrames) {
  const std::vector<uint8_t> rubbish(64, 0x55);
  ASSERT_EQ(send(sockets_[1], rubbish.data(), rubbish.size(), 0), 64);
  ASSERT_TRUE(Read(true));
  EXPECT_FALSE(connection_.IsOpen());
  ASSERT_TRUE(connection_.Broken());
  EXPECT_EQ(connection_.Broken()->code, "stream.magic");
}

// ---- what a machine is like ------------------------------------------------------------------------

TEST(MachineConstantsTest, LearnsFromCapturesThatSaySomething) {
  snapshot::Capture capture;
  capture.method = "pause";
  capture.threads = 2;
  capture.pause_ms.walk_ms = 30;
  MachineConstants constants;
  EXPECT_FALSE(constants.Learn(capture, 1000)) << "too few objects";
  EXPECT_TRUE(constants.Learn(capture, 5'000'000));
  EXPECT_EQ(constants.walk_ps_per_object, 9812u);  // 30 ms * 2 / 5 M = 12 ns; an eighth of the way from 9.5
  capture.pause_ms.walk_ms = 10;
  EXPECT_TRUE(constants.Learn(capture, 5'000'000));
  EXPECT_EQ(constants.walk_ps_per_object, 6906u);  // 4 ns; half of the way from 9.812
  EXPECT_EQ(constants.fork_ns_per_resident_mib, 0u);

  capture.method = "fork";
  capture.pause_ms.fork_ms = 25;
  capture.memory.rss_bytes = 100 << 20;
  EXPECT_FALSE(constants.Learn(capture, 5'000'000)) << "too small a process";
  capture.memory.rss_bytes = uint64_t{1} << 30;
  EXPECT_TRUE(constants.Learn(capture, 5'000'000));
  EXPECT_EQ(constants.fork_ns_per_resident_mib, 23'614u);  // 25 ms / 1024 = 24,414; an eighth of the way from 23,500
}

TEST(MachineConstantsTest, IsKept) {
  snapshot::testing::TemporaryFolder folder;
  const std::string cache = folder.File("cache/cairn");
  EXPECT_EQ(MachineConstants::Load(cache).walk_ps_per_object, 0u);
  MachineConstants{7000, 21'000}.Save(cache);
  EXPECT_EQ(MachineConstants::Load(cache).walk_ps_per_object, 7000u);
  EXPECT_EQ(MachineConstants::Load(cache).fork_ns_per_resident_mib, 21'000u);
  MachineConstants{1, 2}.Save("/proc/cannot/be/made");
}

}  // namespace
}  // namespace cairn::client
