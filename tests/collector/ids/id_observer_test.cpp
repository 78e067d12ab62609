#include "collector/ids/id_observer.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/collector/capture/fake_runtime.h"

namespace cairn::collector {
namespace {

using protocol::IdKind;

class IdObserverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    channel_.Adopt(ends[0]);
    client_ = ends[1];
    ASSERT_TRUE(access_.Open(runtime_.As<abi::IUnknown>()));
    stream::RecordWriter wishes;
    wishes(protocol::IdWishes{1u << static_cast<uint32_t>(IdKind::kModule), 0});
    ASSERT_EQ(observer_.Start({access_}, wishes.Bytes()), nullptr);
  }
  void TearDown() override { close(client_); }

  void WaitForBytes() const {
    pollfd wait{client_, POLLIN, 0};
    ASSERT_EQ(poll(&wait, 1, 60000), 1);
  }
  // The next row, of a client that reads at last.
  protocol::IdRow NextRow() {
    protocol::IdRow row;
    if (unread_.empty()) {
      protocol::FrameHeader header;
      EXPECT_EQ(recv(client_, &header, sizeof header, MSG_WAITALL), static_cast<ssize_t>(sizeof header));
      unread_.resize(header.payload_size);
      EXPECT_EQ(recv(client_, unread_.data(), unread_.size(), MSG_WAITALL), static_cast<ssize_t>(unread_.size()));
    }
    uint32_t size = 0;
    std::memcpy(&size, unread_.data(), sizeof size);
    stream::RecordReader reader(std::span<const uint8_t>(unread_).subspan(sizeof size, size));
    reader(row);
    unread_.erase(unread_.begin(), unread_.begin() + sizeof size + size);
    return row;
  }

  FakeRuntime runtime_;
  RuntimeAccess access_;
  ClientChannel channel_;
  ObservationSink sink_{channel_};
  int client_ = -1;
  std::vector<uint8_t> unread_;
  IdObserver observer_;
};

// 1,000 modules whose rows hold their paths of 2,000 characters twice: 4 MB, of which a frame of 256 KiB is collected
// and sent, and does not fit into the socket. While the client reads nothing the module behind that frame goes:
// it need not wait, and is not asked about.
TEST_F(IdObserverTest, UnloadingNeverWaitsForTheClient) {
  channel_.SetDeadline(10000);  // so long an unloading that waits would wait, for a listing that then gives up
  constexpr abi::ModuleID kFirst = 0x1000, kGone = kFirst + 999 * 0x10;
  for (abi::ModuleID id = kFirst; id <= kGone; id += 0x10)
    runtime_.modules.push_back({id, u"/" + std::u16string(2000, u'm'), 0});
  std::atomic<bool> is_over{false};
  std::thread listing([&] {
    EXPECT_TRUE(observer_.Drain(sink_) && sink_.Flush());
    is_over = true;
  });
  WaitForBytes();
  observer_.OnModuleUnloadStarted(kGone);
  EXPECT_FALSE(is_over);
  runtime_.modules.pop_back();
  for (abi::ModuleID id = kFirst; id < kGone; id += 0x10) EXPECT_EQ(NextRow().id, id);
  listing.join();
  EXPECT_TRUE(unread_.empty());
  EXPECT_EQ(std::ranges::count(runtime_.metadata_asked, kGone), 0);
}

}  // namespace
}  // namespace cairn::collector
