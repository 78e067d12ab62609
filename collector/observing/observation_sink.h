#pragma once
// Where an observer's messages go: blocks, each a length and bytes, collected into frames of the client's connection.
// What the bytes mean is between the observer and its half in the client. Thread rule: the observation's thread.

#include <cstdint>
#include <span>
#include <vector>

#include "collector/capture/client_channel.h"

namespace cairn::collector {

class ObservationSink {
 public:
  explicit ObservationSink(ClientChannel& channel) : channel_(channel) {}

  // A block of its own. False: the client is gone, or took nothing for its deadline.
  bool SendBlock(std::span<const uint8_t> block);
  template <class Message>
  bool Send(const Message& message) {
    writer_.Clear();
    writer_(message);
    return SendBlock(writer_.Bytes());
  }
  // The same of an observer with several kinds of blocks: which one it is comes first.
  template <class Kind, class Message>
  bool Send(Kind kind, const Message& message) {
    writer_.Clear();
    writer_(kind);
    writer_(message);
    return SendBlock(writer_.Bytes());
  }
  // What is collected goes out; the observation calls it after each Drain.
  bool Flush();

 private:
  ClientChannel& channel_;
  std::vector<uint8_t> frame_;
  stream::RecordWriter writer_;
};

}  // namespace cairn::collector
