#pragma once
// Starts a command and observes it, or a process below it, from its first moment until it ends; where its runtime does
// not load the collector at the start, from the moment it can be attached to.
// Thread rule: blocks its thread; `cancel` may be set from a signal handler.

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "collector/client/observation_session.h"

namespace cairn::client {

struct ObservedRun {
  std::vector<std::string> command;
  std::string child;           // the name of a process below the command; empty: the first .NET process
  ObservationRequest request;  // its target is not used
  std::function<void(pid_t)> on_started;
  std::function<void()> on_ending;  // it has ended; its process id is given back next
  std::function<Status(ObservationSession&)> observe;
  std::function<void(const Error&)> on_unreachable = {};  // once, while the command still runs
  bool only_from_start = false;  // what is observed is nothing without: error run.not_from_start
  // Before `observe`: why what came before the attach was not seen.
  std::function<void(const Error&)> on_late = [](const Error&) {};
};

struct ObservedRunResult {
  int exit_code = 0;  // the command's own; 128 and the signal's number where one killed it
  Status observed;    // run.no_process where nothing was found to observe
};

// Waits for the command's end whatever becomes of the observation; `cancel` only ends this one. Error run.not_started.
Result<ObservedRunResult> RunObserved(const ObservedRun& run, const std::atomic<bool>& cancel);

}  // namespace cairn::client
