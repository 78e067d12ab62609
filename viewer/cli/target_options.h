#pragma once
// How a command is told which process it is about.

#include <string>

#include "collector/client/process_list.h"
#include "viewer/cli/command_line.h"

namespace cairn::cli {

// The four ways to name a process, as typed; empty: not given.
struct TargetWords {
  std::string pid_argument, pid_option, name, port;
};
// Exactly one of them. Errors: usage.no_target, usage.several_targets, usage.bad_pid.
Result<client::TargetName> MakeTarget(const std::string& command, const TargetWords& words);

class TargetOptions {
 public:
  // Adds the argument PID, -p, -n and --diagnostic-port.
  void Configure(CommandLine& line);
  Result<client::TargetName> Target(const std::string& command) const { return MakeTarget(command, words_); }

 private:
  TargetWords words_;
};

// A positive number. Error usage.bad_pid.
Result<int64_t> ParsePid(const std::string& text);

}  // namespace cairn::cli
