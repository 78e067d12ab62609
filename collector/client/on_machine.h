#pragma once
// The public functions of this room, on a machine that tests may lay out.

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "collector/client/capture_session.h"
#include "collector/client/doctor.h"
#include "collector/client/machine.h"
#include "collector/client/process_list.h"

namespace cairn::client {

Result<std::vector<ProcessInfo>> ListProcessesOn(const Machine& machine);
Result<int64_t> ResolveTargetOn(const Machine& machine, const TargetName& target);
// `library`: empty for the one that belongs to the program.
std::vector<Probe> DiagnoseOn(const Machine& machine, int64_t pid, const std::string& library = {});
Result<CaptureResult> CaptureOn(const Machine& machine, const CaptureRequest& request,
                                const std::function<void(const CaptureProgress&)>& progress,
                                const std::atomic<bool>& cancel);
Result<DetachResult> DetachOn(const Machine& machine, int64_t pid);
Result<std::vector<std::string>> CleanOn(const Machine& machine);

}  // namespace cairn::client
