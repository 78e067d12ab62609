#pragma once
// One capture from outside: find, check, place the library, attach, receive, assemble, finish the file.
// Thread rule: Run blocks its thread; `cancel` may be set from another thread or a signal handler.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "collector/client/process_list.h"
#include "collector/protocol/protocol.h"
#include "snapshot-format/file/model.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

class AllocationTracker;
class SeriesTracker;

struct CaptureRequest {
  TargetName target;
  std::string output;  // empty: NAME_PID_yyyyMMdd_HHmmss.cairn in the current folder
  bool overwrite = false;
  protocol::GcRequest gc = protocol::GcRequest::kYoung;
  protocol::WalkMethod method = protocol::WalkMethod::kAuto;
  protocol::StringCapture strings = protocol::StringCapture::kHash;
  protocol::SelfCheck self_check = protocol::SelfCheck::kSample;
  bool values = false;
  bool light = false;
  uint32_t max_pause_ms = 0;  // 0: no limit
  uint32_t wait_natural_ms = 0;
  std::string runtime = "first";             // first | one=VERSION | many
  std::chrono::milliseconds timeout{60000};  // without any sign of life from the target
  SeriesTracker* tracker = nullptr;          // of a series whose objects are followed: holds the collector
  AllocationTracker* allocations = nullptr;  // that samples allocations: holds the collector
  bool IsHeld() const { return tracker != nullptr || allocations != nullptr; }
  std::string library;  // empty: libcairn_collector.so beside this program or in the install's lib folder
};

struct CaptureProgress {
  protocol::CaptureState state{};
  uint64_t done = 0, total = 0;  // both 0 where not countable
  std::string text;              // "attached; waiting for the collection"
};

struct CaptureResult {
  std::string path;
  snapshot::Summary summary;  // summary.complete false: exit 4
  uint64_t file_bytes = 0;
};

// Errors name the broken link and the remedy; codes are listed in collector/client/ERRORS.md.
Result<CaptureResult> Capture(const CaptureRequest& request,
                              const std::function<void(const CaptureProgress&)>& progress,
                              const std::atomic<bool>& cancel);

struct DetachResult {
  int64_t pid = 0;
  bool detached = false;
};
// Ends a collector that stayed in the process. Error detach.none when there is none.
Result<DetachResult> Detach(int64_t pid);

// Removes placed libraries that no process maps, and sockets nobody listens on; returns their paths.
Result<std::vector<std::string>> Clean();

}  // namespace cairn::client
