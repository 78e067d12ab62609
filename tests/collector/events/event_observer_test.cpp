#include "collector/events/event_observer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <span>

#include "tests/collector/observing/observer_fixture.h"

namespace cairn::collector {
namespace {

class EventObserverTest : public ObserverTest {
 protected:
  void Start(EventGroup group) {
    stream::RecordWriter wishes;
    wishes(protocol::EventWishes{1u << static_cast<uint32_t>(group), 0});
    ASSERT_EQ(observer_.Start({access_}, wishes.Bytes()), nullptr);
  }
  // What the client reads: a frame with one block.
  protocol::LoggedEvent Drained() {
    EXPECT_TRUE(observer_.Drain(sink_) && sink_.Flush());
    const auto frame = ReceiveFrame(client_, MSG_DONTWAIT);
    EXPECT_TRUE(frame && frame->is_whole);
    if (!frame || frame->payload.empty()) return {};
    std::span<const uint8_t> rest(frame->payload);
    const auto event = Read<protocol::LoggedEvent>(TakeBlock(rest));
    EXPECT_TRUE(rest.empty());
    return event;
  }

  EventObserver observer_;
};

// An object may have moved away since its address was written into the event: this runtime, too, follows addresses that
// it is asked about, and 0x30 is none.
TEST_F(EventObserverTest, NeverAsksWhatALockBelongsTo) {
  Start(EventGroup::kContention);
  uint8_t payload[1 + 2 + 8 + 8 + 8] = {};
  const uint64_t words[] = {0x20, 0x30, 4242};  // the lock, the object, the owner
  std::memcpy(payload + 3, words, sizeof words);
  observer_.OnEvent({1, 81, 2, payload});
  const protocol::LoggedEvent event = Drained();
  EXPECT_EQ(event.event, "contention-start");
  EXPECT_EQ(event.type, "");
  ASSERT_EQ(event.values.size(), 3u);
  EXPECT_EQ(event.values[1].number, 0x30u);
}

// The runtime buries the first thread when the system has given its id to another, and that one keeps its name.
TEST_F(EventObserverTest, AThreadThatEndsTakesNobodyElsesIdAlong) {
  Start(EventGroup::kContention);
  const auto id = static_cast<uint32_t>(gettid());
  const abi::WChar name[] = {'w', 'o', 'r', 'k'};
  observer_.OnThreadAssigned(0xA0, id);
  observer_.OnThreadAssigned(0xB0, id);
  observer_.OnThreadNamed(0xB0, name);
  observer_.OnThreadDestroyed(0xA0);
  uint8_t payload[1 + 2 + 8 + 8 + 8] = {};
  observer_.OnEvent({1, 81, 2, payload});
  EXPECT_EQ(Drained().thread_name, "work");
}

}  // namespace
}  // namespace cairn::collector
