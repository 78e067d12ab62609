// Whole captures that go well.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <iterator>

#include "collector/client/library_placement.h"
#include "snapshot-format/file/snapshot_reader.h"
#include "snapshot-format/file/verifier.h"
#include "tests/collector/client/capture_fixture.h"

namespace cairn::client {
namespace {

using testing::AttachSeen;
using testing::ConnectTo;
using ::testing::IsEmpty;
using testing::SendFrames;

constexpr uint32_t kTimedOut = 0x80131379;

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

}  // namespace
}  // namespace cairn::client
