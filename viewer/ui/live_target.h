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
  bool full = false;  // a full collection first
};

class LiveTarget {
 public:
  virtual ~LiveTarget() = default;
  virtual Result<std::vector<presentation::ProcessRow>> Processes() = 0;
  // The path of the snapshot. Tells progress; ends when it is cancelled.
  virtual Result<std::string> Capture(const CaptureWish& wish, presentation::JobContext& context) = 0;
};

}  // namespace cairn::ui
