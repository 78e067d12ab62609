#pragma once
// A process that was found fit to be attached to, with what that took to know.

#include <optional>
#include <string>

#include "collector/client/capture_session.h"
#include "collector/client/control_socket.h"
#include "collector/client/target.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

struct ReadyTarget {
  Target target;
  RuntimeInfo runtime;
  std::string library;         // of ours, on this machine
  std::string other_profiler;  // its library; empty: none is known
  // The collector that stays loaded, and is to be asked: nothing is attached, and `library` is empty.
  std::optional<Resident> resident;
};

// May the request be served by a collector that stays loaded? Only captures can.
enum class ResidentUse { kRefused, kAsked };

// Errors name what is in the way. A request of a series that tracks expects the collector that stays.
Result<ReadyTarget> MakeReady(const Machine& machine, const CaptureRequest& request,
                              ResidentUse use = ResidentUse::kRefused);

}  // namespace cairn::client
