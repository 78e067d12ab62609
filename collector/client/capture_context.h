#pragma once
// What the client knows of a capture before the first frame arrives.

#include <functional>
#include <string>

#include "collector/client/posix.h"
#include "collector/client/sampled_objects.h"
#include "collector/protocol/protocol.h"
#include "snapshot-format/file/model.h"

namespace cairn::client {

// What is known at a snapshot of allocations that were sampled before.
struct SampledHeap {
  snapshot::Sampling sampling;
  std::vector<FollowedSample> samples;
  uint64_t doubtful = 0;
};

struct CaptureContext {
  snapshot::Process process;  // pid as this process sees it, name, command line, architecture
  snapshot::Memory memory;
  protocol::GcRequest gc = protocol::GcRequest::kFull;
  protocol::StringCapture strings = protocol::StringCapture::kHash;
  bool values = false;
  uint32_t max_pause_ms = 0;   // 0: no limit
  bool beside = false;         // another profiler
  std::string other_profiler;  // its library; empty where only the runtime knows it
  std::string captured_at;     // UTC, ISO 8601
  Clock::time_point started;
  std::string output;
  std::function<SampledHeap()> sampled;          // at the first chunk; empty: allocations were not sampled
  std::function<snapshot::Tracking()> tracking;  // at the end; empty: objects are not followed
};

}  // namespace cairn::client
