#include "collector/observing/observation_sink.h"

#include <cstring>

namespace cairn::collector {

namespace {

constexpr size_t kFrameBytes = 256u << 10;

}  // namespace

bool ObservationSink::SendBlock(std::span<const uint8_t> block) {
  const auto size = static_cast<uint32_t>(block.size());
  if (!frame_.empty() && frame_.size() + sizeof size + size > kFrameBytes && !Flush()) return false;
  const auto* bytes = reinterpret_cast<const uint8_t*>(&size);
  frame_.insert(frame_.end(), bytes, bytes + sizeof size);
  frame_.insert(frame_.end(), block.begin(), block.end());
  return !channel_.Broken();
}

bool ObservationSink::Flush() {
  const bool sent = frame_.empty() || channel_.SendFrame(protocol::FrameKind::kObserved, frame_);
  frame_.clear();
  return sent && !channel_.Broken();
}

}  // namespace cairn::collector
