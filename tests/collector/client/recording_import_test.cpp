#include "collector/client/recording_import.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "collector/protocol/recording.h"
#include "tests/collector/client/fake_collector.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::client {
namespace {

using protocol::RecordingHeader;
using testing::Conversation;

class RecordingImport : public ::testing::Test {
 protected:
  RecordingImport() {
    header_.size = sizeof header_;
    header_.started = 1'764'489'600;  // 2025-11-30T08:00:00Z
    header_.process = 4242;
    std::memset(header_.options.nonce, 7, sizeof header_.options.nonce);
    std::memcpy(conversation_.hello.nonce, header_.options.nonce, sizeof header_.options.nonce);
  }

  // The file's bytes: header, and each frame.
  std::string Bytes() const {
    std::string bytes(reinterpret_cast<const char*>(&header_), sizeof header_);
    uint64_t sequence = 0;
    for (const testing::Sent& sent : conversation_.Frames()) {
      const std::vector<uint8_t> frame = testing::FrameBytes(sent, sequence++);
      bytes.append(frame.begin(), frame.end());
    }
    return bytes;
  }
  Result<CaptureResult> Import(const std::string& bytes) const {
    std::ofstream(folder_.File("a.recording"), std::ios::binary) << bytes;
    return ImportRecording(folder_.File("a.recording"), folder_.File("a.cairn"), true);
  }
  std::string Code(const std::string& bytes) const {
    const auto result = Import(bytes);
    return result ? "none" : result.error().code;
  }

  snapshot::testing::TemporaryFolder folder_;
  RecordingHeader header_;
  Conversation conversation_;
};

TEST_F(RecordingImport, MakesACompleteSnapshot) {
  const auto result = Import(Bytes());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->summary.complete);
  EXPECT_EQ(result->summary.totals.objects, 3u);
  EXPECT_EQ(result->summary.capture.captured_at, "2025-11-30T08:00:00Z");
  EXPECT_TRUE(IsRecording(folder_.File("a.recording")));
  EXPECT_FALSE(IsRecording(folder_.File("a.cairn")));
}

TEST_F(RecordingImport, AnotherCollectorIsNotBelieved) {
  conversation_.hello.nonce[3] = 8;
  EXPECT_EQ(Code(Bytes()), "recording.damaged");
}

TEST_F(RecordingImport, AnotherVersionIsNamed) {
  header_.version = 99;
  EXPECT_EQ(Code(Bytes()), "recording.version");
}

TEST_F(RecordingImport, WhatIsNoRecordingIsNamed) {
  EXPECT_EQ(Code("not one"), "recording.damaged");
  EXPECT_EQ(Code(std::string(1000, 'x')), "recording.damaged");
  EXPECT_EQ(ImportRecording(folder_.File("none"), folder_.File("a.cairn"), true).error().code, "recording.unreadable");
}

// At every length: nothing, or a file that says that it is incomplete.
TEST_F(RecordingImport, ACutOneIsNeverTakenForWhole) {
  const std::string bytes = Bytes();
  for (size_t size = 0; size < bytes.size(); size += 37) {
    const auto result = Import(bytes.substr(0, size));
    EXPECT_TRUE(!result || !result->summary.complete) << size;
  }
}

// Not as a connection that broke, since there is none.
TEST_F(RecordingImport, ACutOneIsCalledSo) {
  const std::string bytes = Bytes();
  const auto result = Import(bytes.substr(0, bytes.size() - 1));
  ASSERT_TRUE(result);
  std::string words;
  for (const snapshot::Problem& problem : result->summary.problems)
    words += problem.code + " " + problem.message + "\n";
  EXPECT_NE(words.find("recording.damaged"), std::string::npos) << words;
  EXPECT_NE(words.find("it ends before"), std::string::npos) << words;
}

}  // namespace
}  // namespace cairn::client
