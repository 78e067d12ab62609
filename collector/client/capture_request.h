#pragma once
// What the user asked for: is it possible at all, and what of it travels to the collector.

#include <string>

#include "collector/client/capture_session.h"
#include "collector/client/diagnostics_ipc.h"
#include "collector/client/machine_constants.h"
#include "collector/client/target.h"

namespace cairn::client {

// Before the target is looked at. Errors: usage.timeout, usage.wait_natural, usage.runtime.
Status CheckRequest(const CaptureRequest& request);

// --runtime one=VERSION. Error target.other_runtime.
Status CheckRuntime(const CaptureRequest& request, const std::string& version);

// NAME_PID_yyyyMMdd_HHmmss.cairn, local time; characters that no file name should have become '_'.
std::string DefaultOutput(const std::string& name, int64_t pid, std::time_t now);

// Can the output be made? Errors: output.exists, output.no_folder, output.unwritable.
Status CheckOutput(const std::string& output, bool overwrite);

// --max-pause, as far as it can be judged from outside. Error pause.over_limit.
Status CheckPause(const CaptureRequest& request, const MachineConstants& machine, uint64_t resident_bytes);
// --light takes a full collection.
protocol::GcRequest EffectiveGc(const CaptureRequest& request);

protocol::Options MakeOptions(const CaptureRequest& request, std::span<const uint8_t> nonce,
                              const std::string& socket_path, const MachineConstants& machine = {});

}  // namespace cairn::client
