#pragma once
// An observer in a runtime that is made up, and its client, who reads what the observer says.

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <span>

#include "collector/observing/observation_sink.h"
#include "snapshot-format/stream/records.h"
#include "tests/collector/capture/fake_runtime.h"
#include "tests/collector/capture/sent_frame.h"

namespace cairn::collector {

class ObserverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    channel_.Adopt(ends[0]);
    client_ = ends[1];
    ASSERT_TRUE(access_.Open(runtime_.As<abi::IUnknown>()));
  }
  void TearDown() override { close(client_); }

  // A frame holds blocks, each behind its size. Of `rest`, which is not empty, what follows the block is left.
  static std::span<const uint8_t> TakeBlock(std::span<const uint8_t>& rest) {
    uint32_t size = 0;
    std::memcpy(&size, rest.data(), sizeof size);
    const auto block = rest.subspan(sizeof size, size);
    rest = rest.subspan(sizeof size + size);
    return block;
  }
  template <class Message>
  static Message Read(std::span<const uint8_t> bytes) {
    Message message;
    stream::RecordReader reader(bytes);
    reader(message);
    EXPECT_TRUE(reader.Complete());
    return message;
  }

  FakeRuntime runtime_;
  RuntimeAccess access_;
  ClientChannel channel_;
  ObservationSink sink_{channel_};
  int client_ = -1;
};

}  // namespace cairn::collector
