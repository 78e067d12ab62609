#pragma once
// Live processes, as far as the window needs them. A test puts its own in their place.
// Thread rule: every method from any thread; each blocks.

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/presentation/jobs.h"
#include "viewer/presentation/tables/process_table.h"

namespace cairn::ui {

struct CaptureWish {
  int64_t pid = 0;
  bool full = false;          // a full collection first
  uint32_t max_pause_ms = 0;  // refused where it would take longer; 0: no limit
};

// How long a capture would stop the application, as far as that is known before it is attached to.
struct PauseEstimate {
  double walk_ms = 0, fork_ms = 0;  // the collector takes the cheaper one
  bool is_measured = false;         // by captures on this machine

  double Ms() const { return walk_ms < fork_ms ? walk_ms : fork_ms; }
};

class LiveTarget {
 public:
  virtual ~LiveTarget() = default;
  virtual Result<std::vector<presentation::ProcessRow>> Processes() = 0;
  // At once, from what is known of the process: no more than about this.
  virtual PauseEstimate Estimate(const presentation::ProcessRow& process) = 0;
  // The path of the snapshot. Tells progress; ends when it is cancelled.
  virtual Result<std::string> Capture(const CaptureWish& wish, presentation::JobContext& context) = 0;
};

}  // namespace cairn::ui
