#pragma once
// The processes of this machine, through collector/client.

#include "viewer/ui/live_target.h"

namespace cairn::ui {

class LiveClient : public LiveTarget {
 public:
  Result<std::vector<presentation::ProcessRow>> Processes() override;
  PauseEstimate Estimate(const presentation::ProcessRow& process) override;
  // Into the current folder, under the name that the command line would give.
  Result<std::string> Capture(const CaptureWish& wish, presentation::JobContext& context) override;
};

}  // namespace cairn::ui
