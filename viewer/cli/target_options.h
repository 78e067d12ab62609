#pragma once
// How a command is told which process it is about.

#include <string>

#include "collector/client/process_list.h"
#include "viewer/cli/command_line.h"

namespace cairn::cli {

class TargetOptions {
 public:
  // Adds the argument PID, -p, -n and --diagnostic-port.
  void Configure(CommandLine& line);
  // Exactly one of them. Errors: usage.no_target, usage.several_targets, usage.bad_pid.
  Result<client::TargetName> Target(const std::string& command) const;
  bool IsGiven() const { return Given() > 0; }

 private:
  int Given() const;

  std::string pid_argument_, pid_option_, name_, port_;  // as typed; empty: not given
};

// A positive number. Error usage.bad_pid.
Result<int64_t> ParsePid(const std::string& text);

}  // namespace cairn::cli
