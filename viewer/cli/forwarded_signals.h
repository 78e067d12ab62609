#pragma once
// Signals that are meant for a command started by us: they reach it, and tell us that the end is near.

#include <sys/types.h>

#include <atomic>

namespace cairn::cli {

// Call before the command is started. A signal that was ignored stays so.
void CatchForCommand();
// From here on they are passed on, one that came meanwhile at once. Keys pressed at the terminal reach it anyway and
// are not.
void ForwardTo(pid_t command);
// Before its process id is given back to the system.
void ForwardNoMore();
// True from the first signal on.
const std::atomic<bool>& SignalledForCommand();

}  // namespace cairn::cli
