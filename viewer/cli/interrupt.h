#pragma once
// Ctrl-C and a polite kill: the first asks the running command to stop cleanly, the second ends the program.

#include <atomic>

namespace cairn::cli {

// Call once, before the work that may be cancelled.
void CatchInterrupts();
const std::atomic<bool>& Interrupted();

}  // namespace cairn::cli
