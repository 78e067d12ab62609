#include "collector/ids/id_observer.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <thread>

#include "tests/collector/observing/observer_fixture.h"

namespace cairn::collector {
namespace {

using protocol::IdKind;

class IdObserverTest : public ObserverTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(ObserverTest::SetUp());
    stream::RecordWriter wishes;
    wishes(protocol::IdWishes{1u << static_cast<uint32_t>(IdKind::kModule), 0});
    ASSERT_EQ(observer_.Start({access_}, wishes.Bytes()), nullptr);
  }

  void WaitForBytes() const {
    pollfd wait{client_, POLLIN, 0};
    ASSERT_EQ(poll(&wait, 1, 60000), 1);
  }
  // The next row, of a client that reads at last.
  protocol::IdRow NextRow() {
    if (unread_.empty()) {
      frame_ = ReceiveFrame(client_).value_or(SentFrame{});
      EXPECT_TRUE(frame_.is_whole);
      unread_ = frame_.payload;
    }
    return unread_.empty() ? protocol::IdRow() : Read<protocol::IdRow>(TakeBlock(unread_));
  }

  SentFrame frame_;
  std::span<const uint8_t> unread_;  // of it
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
