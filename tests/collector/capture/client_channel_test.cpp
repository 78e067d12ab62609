#include "collector/capture/client_channel.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>

#include "collector/protocol/messages.h"
#include "snapshot-format/stream/checksum.h"

namespace cairn::collector {
namespace {

using protocol::FrameHeader;
using protocol::FrameKind;

class ClientChannelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    channel_.Adopt(ends[0]);
    client_ = ends[1];
  }
  void TearDown() override { CloseClient(); }
  void CloseClient() {
    if (client_ >= 0) close(client_);
    client_ = -1;
  }
  FrameHeader ReadHeader() {
    FrameHeader header;
    EXPECT_EQ(recv(client_, &header, sizeof header, MSG_WAITALL), static_cast<ssize_t>(sizeof header));
    return header;
  }
  void Say(FrameHeader header) {
    EXPECT_EQ(send(client_, &header, sizeof header, 0), static_cast<ssize_t>(sizeof header));
  }

  ClientChannel channel_;
  int client_ = -1;
};

TEST_F(ClientChannelTest, FramesAreNumberedAndChecked) {
  ASSERT_TRUE(channel_.Send(FrameKind::kDetached, protocol::Detached{2.5}));
  ASSERT_TRUE(channel_.SendFrame(FrameKind::kEnd, {}));
  const FrameHeader first = ReadHeader();
  double payload = 0;
  ASSERT_EQ(recv(client_, &payload, sizeof payload, MSG_WAITALL), static_cast<ssize_t>(sizeof payload));
  const FrameHeader second = ReadHeader();

  EXPECT_EQ(first.magic, protocol::kFrameMagic);
  EXPECT_EQ(first.kind, FrameKind::kDetached);
  EXPECT_EQ(first.payload_size, 8u);
  EXPECT_EQ(first.sequence, 0u);
  EXPECT_EQ(payload, 2.5);
  FrameHeader unsigned_header = first;
  unsigned_header.checksum = 0;
  const uint32_t checksum =
      stream::Crc32c(stream::Crc32c(0, &unsigned_header, sizeof unsigned_header), &payload, sizeof payload);
  EXPECT_EQ(first.checksum, checksum);
  EXPECT_EQ(second.sequence, 1u);
  EXPECT_EQ(channel_.FramesSent(), 2u);
}

TEST_F(ClientChannelTest, RefusesOversizedFrames) {
  const std::vector<uint8_t> huge(protocol::kMaxFramePayload + 1);
  EXPECT_FALSE(channel_.SendFrame(FrameKind::kChunk, huge));
  EXPECT_TRUE(channel_.SendFrame(FrameKind::kEnd, {})) << "nothing of it was sent";
}

TEST_F(ClientChannelTest, AClientThatDiesIsNoSignal) {
  CloseClient();
  EXPECT_EQ(channel_.WaitForClient(1000), ClientSign::kGone);
  EXPECT_FALSE(channel_.SendFrame(FrameKind::kEnd, {}));  // SIGPIPE would end this test
  EXPECT_TRUE(channel_.Broken());
}

TEST_F(ClientChannelTest, AClientThatDoesNotReadEndsItself) {
  channel_.SetDeadline(50);
  const std::vector<uint8_t> block(1 << 20);
  int sent = 0;
  while (sent < 64 && channel_.SendFrame(FrameKind::kChunk, block)) ++sent;
  EXPECT_LT(sent, 64) << "64 MiB fit into no socket buffer";
  EXPECT_TRUE(channel_.Broken());
}

TEST_F(ClientChannelTest, ASlowClientIsServed) {
  channel_.SetDeadline(5000);
  const std::vector<uint8_t> block(4 << 20, 7);
  std::thread reader([this] {
    std::vector<uint8_t> buffer(64 << 10);
    for (size_t left = sizeof(FrameHeader) + (4 << 20); left > 0;) {
      const ssize_t got = recv(client_, buffer.data(), buffer.size(), 0);
      if (got <= 0) return;
      left -= static_cast<size_t>(got);
    }
  });
  EXPECT_TRUE(channel_.SendFrame(FrameKind::kChunk, block));
  reader.join();
}

TEST_F(ClientChannelTest, HearsCancelInPieces) {
  const FrameHeader cancel = MakeHeader(FrameKind::kCancel, 0, {});
  ASSERT_EQ(send(client_, &cancel, 10, 0), 10);
  EXPECT_EQ(channel_.WaitForClient(1000), ClientSign::kNothing);
  ASSERT_EQ(send(client_, reinterpret_cast<const char*>(&cancel) + 10, sizeof cancel - 10, 0), 14);
  EXPECT_EQ(channel_.WaitForFrame(1000), ClientSign::kCancel);
}

TEST_F(ClientChannelTest, HearsDetach) {
  Say(MakeHeader(FrameKind::kDetach, 0, {}));
  EXPECT_EQ(channel_.WaitForFrame(1000), ClientSign::kDetach);
}

TEST_F(ClientChannelTest, TakesWrongBytesForTheEnd) {
  FrameHeader header = MakeHeader(FrameKind::kCancel, 0, {});
  header.checksum ^= 1;
  Say(header);
  EXPECT_EQ(channel_.WaitForFrame(1000), ClientSign::kGone);
  Say(MakeHeader(FrameKind::kHello, 1, {}));
  EXPECT_EQ(channel_.WaitForFrame(1000), ClientSign::kGone);
}

TEST_F(ClientChannelTest, QuietClientIsNothing) { EXPECT_EQ(channel_.WaitForClient(0), ClientSign::kNothing); }

TEST_F(ClientChannelTest, ShutWakesAndBreaks) {
  channel_.Shut();
  EXPECT_EQ(channel_.WaitForClient(1000), ClientSign::kGone);
  EXPECT_FALSE(channel_.SendFrame(FrameKind::kEnd, {}));
}

TEST_F(ClientChannelTest, StopWaitingIsNotSeenByTheClient) {
  channel_.StopWaiting();
  EXPECT_EQ(channel_.WaitForClient(60000), ClientSign::kNothing) << "returned at once, or this test takes a minute";
  char byte;
  EXPECT_EQ(recv(client_, &byte, 1, MSG_DONTWAIT), -1) << "still open";
}

TEST_F(ClientChannelTest, ReleaseKeepsTheSocketOpen) {
  const int socket = channel_.Release();
  ASSERT_GE(socket, 0);
  EXPECT_FALSE(channel_.SendFrame(FrameKind::kEnd, {}));
  char byte;
  EXPECT_EQ(recv(client_, &byte, 1, MSG_DONTWAIT), -1);
  close(socket);
  EXPECT_EQ(recv(client_, &byte, 1, 0), 0) << "now it is the end";
}

TEST(ClientChannelConnectTest, NobodyThere) {
  ClientChannel channel;
  EXPECT_FALSE(channel.Connect("/tmp/cairn-no-such-socket", 2000));
  EXPECT_FALSE(channel.Connect("", 2000));
  EXPECT_FALSE(channel.Connect(std::string(200, 'x').c_str(), 2000));
  EXPECT_FALSE(channel.SendFrame(FrameKind::kEnd, {}));
}

TEST(ClientChannelConnectTest, FindsAListener) {
  const std::string path = "/tmp/cairn-channel-" + std::to_string(getpid());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  ClientChannel channel;
  EXPECT_TRUE(channel.Connect(path.c_str(), 2000));
  EXPECT_TRUE(channel.SendFrame(FrameKind::kEnd, {}));
  close(listener);
  unlink(path.c_str());
}

}  // namespace
}  // namespace cairn::collector
