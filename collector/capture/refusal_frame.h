#pragma once
// A refusal as the payload of its frame. Takes no memory, since memory may be what is missing.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "collector/capture/client_channel.h"
#include "collector/capture/refusal.h"

namespace cairn::collector {

class RefusalFrame {
 public:
  // The detail follows the sentence in brackets; what is longer than anybody reads is cut.
  explicit RefusalFrame(const Refusal& refusal, std::string_view detail = {});
  std::span<const uint8_t> Payload() const { return {bytes_, size_}; }

 private:
  static constexpr size_t kMostDetail = 512;

  size_t BeginText();
  void Append(std::string_view text);
  void EndText(size_t begin);

  uint8_t bytes_[2048];  // every sentence of ours with room to spare, as a test knows
  size_t size_ = 0;
};

// Of the exception that is being handled: out of memory, or a fault of our own.
const Refusal& RefusalOfThrown();

inline bool SendRefusal(ClientChannel& channel, const Refusal& refusal, std::string_view detail = {}) {
  return channel.SendFrame(protocol::FrameKind::kRefused, RefusalFrame(refusal, detail).Payload());
}

}  // namespace cairn::collector
