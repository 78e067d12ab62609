#include "collector/client/frame_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collector/client/posix.h"
#include "tests/collector/client/fake_collector.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;
using testing::FrameBytes;

struct Rig {
  Rig() {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) std::abort();
    here_.Reset(fds[0]);
    there_.Reset(fds[1]);
    fcntl(fds[0], F_SETFL, O_NONBLOCK);
  }
  void Arrive(std::span<const uint8_t> bytes) { ASSERT_TRUE(WriteAll(there_.Get(), bytes)); }
  // The code of what the next read says; "" for a frame, "wait" for nothing yet.
  std::string Next() {
    const auto got = reader_.Read(here_.Get(), frame_);
    if (!got) return got.error().code;
    return *got ? "" : "wait";
  }

  UniqueFd here_, there_;
  FrameReader reader_;
  Frame frame_;
};

class FrameReaderTest : public ::testing::Test, public Rig {};

TEST_F(FrameReaderTest, ReadsFramesByteByByte) {
  const auto first = FrameBytes({FrameKind::kProblem, {1, 2, 3}}, 0), second = FrameBytes({FrameKind::kEnd, {}}, 1);
  for (const uint8_t byte : first) {
    EXPECT_EQ(Next(), "wait");
    Arrive({&byte, 1});
  }
  EXPECT_EQ(Next(), "");
  EXPECT_EQ(frame_.kind, FrameKind::kProblem);
  EXPECT_EQ(frame_.payload, (std::vector<uint8_t>{1, 2, 3}));
  Arrive(second);
  EXPECT_EQ(Next(), "");
  EXPECT_EQ(frame_.kind, FrameKind::kEnd);
  EXPECT_EQ(frame_.sequence, 1u);
  there_.Reset();
  EXPECT_EQ(Next(), "stream.closed");
}

TEST_F(FrameReaderTest, EveryFlippedByteIsNoticed) {
  const auto good = FrameBytes({FrameKind::kProblem, {1, 2, 3}}, 0);
  for (size_t i = 0; i < good.size(); ++i) {
    Rig other;
    auto bad = good;
    bad[i] ^= 0x10;
    other.Arrive(bad);
    other.there_.Reset();
    const std::string code = other.Next();
    EXPECT_NE(code, "") << "byte " << i;
    EXPECT_NE(code, "wait") << "byte " << i;
  }
}

TEST_F(FrameReaderTest, WrongMagic) {
  auto bytes = FrameBytes({FrameKind::kEnd, {}}, 0);
  bytes[0] = 'X';
  Arrive(bytes);
  EXPECT_EQ(Next(), "stream.magic");
}

TEST_F(FrameReaderTest, TooLarge) {
  protocol::FrameHeader header;
  header.payload_size = protocol::kMaxFramePayload + 1;
  Arrive({reinterpret_cast<const uint8_t*>(&header), sizeof header});
  EXPECT_EQ(Next(), "stream.size");
}

TEST_F(FrameReaderTest, WrongChecksum) {
  auto bytes = FrameBytes({FrameKind::kProblem, {1, 2, 3}}, 0);
  bytes.back() ^= 1;
  Arrive(bytes);
  EXPECT_EQ(Next(), "stream.checksum");
}

TEST_F(FrameReaderTest, WrongOrder) {
  Arrive(FrameBytes({FrameKind::kState, {}}, 0));
  Arrive(FrameBytes({FrameKind::kState, {}}, 2));
  EXPECT_EQ(Next(), "");
  EXPECT_EQ(Next(), "stream.order");
}

TEST_F(FrameReaderTest, CutInTheMiddle) {
  const auto bytes = FrameBytes({FrameKind::kProblem, {1, 2, 3}}, 0);
  Arrive(std::span(bytes).first(bytes.size() - 1));
  there_.Reset();
  EXPECT_EQ(Next(), "stream.closed");
}

TEST(EmptyFrame, IsAHeaderWithItsChecksum) {
  const auto bytes = EmptyFrame(FrameKind::kCancel, 3);
  EXPECT_EQ(bytes, FrameBytes({FrameKind::kCancel, {}}, 3));
  EXPECT_EQ(bytes.size(), 24u);
}

}  // namespace
}  // namespace cairn::client
