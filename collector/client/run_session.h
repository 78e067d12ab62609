#pragma once
// Starts a command and takes snapshots of it, or of a process below it, until it ends: `cairn run`.
// Thread rule: blocks its thread; `cancel` may be set from a signal handler.

#include <optional>
#include <string>
#include <vector>

#include "collector/client/series_session.h"

namespace cairn::client {

struct RunRequest {
  std::vector<std::string> command;
  std::string child;      // --child: the name of a process below the command; empty: the first .NET process
  bool at_start = false;  // load the collector at the start, also where the command could be attached to
  SeriesRequest series;   // its target is not used
};

struct RunEvents {
  SeriesEvents series;
  std::function<void(pid_t)> on_started;
  std::function<void()> on_ending;               // it has ended; its process id is given back next
  std::function<void(const Error&)> on_no_more;  // why no (further) snapshot is taken, while the command goes on
};

struct RunResult {
  int exit_code = 0;  // the command's own; 128 and the signal's number where one killed it
  Result<SeriesResult> series;
};

// Waits for the command's end whatever becomes of the snapshots; `cancel` only ends these. Errors where nothing was
// started: run.not_started, target.diagnostics_off, those of the options.
Result<RunResult> RunAndWatch(const RunRequest& request, const RunEvents& events,
                              const std::function<void(const CaptureProgress&)>& progress,
                              const std::atomic<bool>& cancel);

}  // namespace cairn::client
