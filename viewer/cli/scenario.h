#pragma once
// A shell command that exercises a process, run again and again.
// Thread rule: one thread; `cancel` may be set from a signal handler.

#include <atomic>
#include <cstdint>
#include <string>

#include "snapshot-format/file/result.h"

namespace cairn::cli {

// Runs it by /bin/sh and waits: nothing on its input, its output on our standard error, CAIRN_PID and
// CAIRN_ITERATION in its environment. Ends it, and what it started, where `cancel` is set.
// Errors: grow.scenario_failed with its exit code, grow.no_shell, cancelled.
Status RunScenario(const std::string& command, int64_t pid, uint64_t iteration, const std::atomic<bool>& cancel);

}  // namespace cairn::cli
