#pragma once
// The connection to the client: frames out, cancel in. Never blocks longer than its deadline, never raises
// SIGPIPE, is closed in programs the target starts.
// Thread rule: Send* from any thread (one frame at a time); WaitForClient from one; Connect and Close from
// the owner while nobody else uses it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "collector/capture/connection.h"
#include "collector/protocol/protocol.h"
#include "snapshot-format/stream/records.h"

namespace cairn::collector {

enum class ClientSign : uint8_t { kNothing, kCancel, kDetach, kCapture, kOrder, kGone };

class ClientChannel {
 public:
  static constexpr int kDefaultDeadlineMs = 60000;

  ClientChannel() = default;
  ~ClientChannel() { Close(); }
  ClientChannel(const ClientChannel&) = delete;
  ClientChannel& operator=(const ClientChannel&) = delete;

  // False: nobody listens at `path`, or not within `timeout_ms`.
  bool Connect(const char* path, int timeout_ms);
  // Takes over a connection that was released or accepted.
  void Adopt(int handle);
  void Close();
  // Gives the connection away, open: the client sees the end only when the receiver closes it.
  int Release();
  // Wakes whoever sends or waits; every later Send fails.
  void Shut();
  // Ends WaitForClient, now and later, without the client noticing.
  void StopWaiting() { connection_.StopWaiting(); }

  // A frame that the client does not take within this time ends the conversation. 0: the default.
  void SetDeadline(uint32_t milliseconds);

  bool SendFrame(protocol::FrameKind kind, std::span<const uint8_t> payload);
  template <class Message>
  bool Send(protocol::FrameKind kind, const Message& message) {
    stream::RecordWriter writer;
    writer(message);
    return SendFrame(kind, writer.Bytes());
  }

  // What the client said within `timeout_ms`; bytes that are no frame count as kGone.
  ClientSign WaitForClient(int timeout_ms);
  // The same, until a whole frame, the end, or `timeout_ms`.
  ClientSign WaitForFrame(int timeout_ms);

  // Of the latest kCapture.
  const protocol::Options& Asked() const { return asked_; }
  // Of the latest kOrder.
  std::span<const uint8_t> Order() const { return order_; }

  bool Broken() const { return broken_.load(std::memory_order_relaxed); }
  uint64_t FramesSent() const { return sequence_; }

 private:
  void Begin();
  bool WriteAll(const void* data, size_t size);
  ClientSign ReadSign();
  ClientSign Understand(const protocol::FrameHeader& header);

  Connection connection_;
  int deadline_ms_ = kDefaultDeadlineMs;
  std::atomic<bool> broken_{false};
  std::mutex sending_;
  uint64_t sequence_ = 0;
  std::vector<uint8_t> incoming_;  // a header, and what follows it
  size_t incoming_size_ = 0;
  protocol::Options asked_;
  std::vector<uint8_t> order_;
};

// Fills a header: checksum over the header with checksum 0, then the payload.
protocol::FrameHeader MakeHeader(protocol::FrameKind kind, uint64_t sequence, std::span<const uint8_t> payload);

}  // namespace cairn::collector
