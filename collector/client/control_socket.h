#pragma once
// The socket of a collector that stayed in its process, beside the diagnostics socket:
// cairn-PID-STARTTIME-control, both numbers as the process sees them.

#include <optional>
#include <string>

#include "collector/client/target.h"

namespace cairn::client {

bool IsControlName(const std::string& name, int64_t inner_pid);
// Its name in the target's temporary folder, if somebody listens there.
std::optional<std::string> FindControlSocket(const Target& target);

}  // namespace cairn::client
