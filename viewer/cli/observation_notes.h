#pragma once
// What the observing commands (log, trace, allocations) have in common: which durations make sense, and the notes on
// standard error about a process that is stopped and about an end that was none in good order.
// Thread rule: that of the console.

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "collector/client/observation_session.h"
#include "viewer/cli/command.h"

namespace cairn::cli {

inline constexpr const char* kUntilInterrupted = "Leave it out to go on until Ctrl-C or the end of the process.";

// `without`: what happens where it is left out.
inline Status CheckObservedTime(const std::optional<std::chrono::milliseconds>& duration,
                                const char* without = "Leave it out for the usual 30s.") {
  if (!duration || duration->count() > 0) return {};
  return Fail(ErrorKind::kUsage, "usage.bad_value", "--duration takes a duration above zero", without);
}

inline void NoteWhenStopped(Console& console, const char* command, client::ObservationSession& session) {
  session.OnStopped([&console, command, pid = session.Pid()] {
    console.Note(
        fmt::format("cairn {}: process {} is stopped (SIGSTOP, or a debugger); nothing comes until it goes on: "
                    "kill -CONT {}",
                    command, pid, pid));
  });
}

// What came is printed in any case; the exit code says whether it is all there should be.
inline int NoteEnd(Console& console, const char* command, const client::ObservationResult& result) {
  if (!result.is_cut) return kExitDone;
  console.Note(fmt::format("cairn {}: {}", command, client::WhyCut(result)));
  return kExitIncomplete;
}

}  // namespace cairn::cli
