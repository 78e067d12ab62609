#pragma once
// Sends a long list as several frames of one kind: a u32 count and the records, as a vector is written.
// Thread rule: one thread; Flush before the next kind.

#include <cstdint>
#include <cstring>
#include <string>

#include "collector/capture/client_channel.h"
#include "collector/protocol/messages.h"

namespace cairn::collector {

template <class Record>
class BatchSender {
 public:
  static constexpr size_t kBatchBytes = 1u << 20;

  BatchSender(ClientChannel& channel, protocol::FrameKind kind) : channel_(channel), kind_(kind) { Start(); }

  void Add(const Record& record) {
    writer_(record);
    ++count_;
    if (writer_.Bytes().size() >= kBatchBytes) Flush();
  }
  template <class List>
  void AddAll(const List& records) {
    for (const Record& record : records) Add(record);
  }
  // An empty list is sent too, so that the client sees that it came.
  bool Flush() {
    if (count_ == 0 && sent_) return !channel_.Broken();
    std::vector<uint8_t> bytes = writer_.Take();
    std::memcpy(bytes.data(), &count_, sizeof count_);
    sent_ = true;
    const uint32_t records = count_;
    Start();
    return bytes.size() <= protocol::kMaxFramePayload ? channel_.SendFrame(kind_, bytes) : SayTooLarge(records);
  }

 private:
  // One record of more than a frame, and what was gathered before it: lost, and said so.
  bool SayTooLarge(uint32_t records) {
    return channel_.Send(protocol::FrameKind::kProblem,
                         protocol::Problem{"send.record_too_large",
                                           "A description did not fit into one frame, so " + std::to_string(records) +
                                               " descriptions of its kind are missing.",
                                           true});
  }
  void Start() {
    writer_.Clear();
    count_ = 0;
    writer_(count_);
  }

  ClientChannel& channel_;
  protocol::FrameKind kind_;
  stream::RecordWriter writer_;
  uint32_t count_ = 0;
  bool sent_ = false;
};

}  // namespace cairn::collector
