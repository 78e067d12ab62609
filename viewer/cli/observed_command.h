#pragma once
// What log, trace and allocations have in common: they observe a process that runs already, or start a command (--run)
// and observe it from its first moment; lines go to a stream or a file.
// Thread rule: that of the console.

#include <functional>
#include <string>
#include <vector>

#include "collector/client/observation_session.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fd_sink.h"
#include "viewer/cli/target_options.h"

namespace cairn::cli {

// What the command says of itself.
struct ObservedWords {
  const char* name;    // "log"
  const char* needed;  // what is always given besides, for hints: " --method PATTERN", or ""
  const char* run;     // help of --run
  const char* child;
  const char* output;
  const char* nothing;  // where nothing can be observed: "Nothing is logged"
};

// Where lines go, as they come.
struct LineOutput {
  LineOutput(int file, std::string name, const presentation::TextStyle& style, bool is_file)
      : file(file), sink(file, std::move(name)), style(style), is_file(is_file) {}
  // Once it is clear that there will be lines: what was in the file goes.
  void Begin() const;

  int file;
  FdSink sink;
  presentation::TextStyle style;
  bool is_file;
};

// What is done with a command that was started.
struct ObservedTask {
  // Returns the exit code where the command's own is 0. `is_late`: its beginning was not seen.
  std::function<Result<int>(client::ObservationSession&, bool is_late)> observe;
  int unobserved = kExitFailed;           // the exit code where nothing was observed and the command's own is 0
  std::function<void()> on_started = {};  // the command runs
  // What is said where the beginning was not seen; empty: what is observed is nothing without it.
  std::function<std::string(const Error& why)> late = {};
};

class ObservedCommand {
 public:
  explicit ObservedCommand(const ObservedWords& words) : words_(words) {}

  void ConfigureRun(CommandLine& line);     // --run, --child
  void ConfigureOutput(CommandLine& line);  // -o, --force
  void ConfigureCommand(CommandLine& line) { line.Rest(command_); }

  bool IsRun() const { return run_; }
  bool NamesCommand() const { return !child_.empty() || !command_.empty(); }
  const std::string& OutputFile() const { return output_; }
  bool Overwrites() const { return overwrite_; }

  // Errors: usage.missing_argument, usage.conflict.
  Status Check(const TargetOptions& target) const;
  // None with --run.
  Result<client::TargetName> Target(const TargetOptions& target) const;
  // With --run the standard output is the command's. Errors: those of OpenForLines.
  Result<LineOutput> OpenLines(const Console& console) const;
  // Starts the command, passes signals on to it, waits for its end. Returns the command's exit code, or that of the
  // task where it is 0. Error run.not_started.
  Result<int> Run(Console& console, const client::ObservationRequest& request, const ObservedTask& task) const;

 private:
  const ObservedWords words_;
  bool run_ = false, overwrite_ = false;
  std::string child_, output_;
  std::vector<std::string> command_;
};

}  // namespace cairn::cli
