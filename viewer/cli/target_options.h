#pragma once
// How a command is told which process it is about.

#include <string>

#include "collector/client/process_list.h"
#include "viewer/cli/command_line.h"

namespace cairn::cli {

class TargetOptions {
 public:
  // Adds the argument PID, -p, -n and --diagnostic-port. `argument`: of commands that also read snapshots, another
  // name.
  void Configure(CommandLine& line, const std::string& argument = "PID");
  // Exactly one of them. Errors: usage.no_target, usage.several_targets, usage.bad_pid.
  Result<client::TargetName> Target(const std::string& command) const;
  bool IsGiven() const { return Given() > 0; }
  // Where the argument is no process but a file, as commands may take either: it is there, or looks like a path, and
  // is no number. Else empty, as where a process is named besides.
  std::string File() const;

 private:
  int Given() const;

  std::string pid_argument_, pid_option_, name_, port_;  // as typed; empty: not given
};

// A positive number. Error usage.bad_pid.
Result<int64_t> ParsePid(const std::string& text);

}  // namespace cairn::cli
