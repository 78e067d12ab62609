#include "viewer/cli/observed_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include "collector/client/observed_run.h"
#include "viewer/cli/file_output.h"
#include "viewer/cli/forwarded_signals.h"

namespace cairn::cli {

void LineOutput::Begin() const {
  if (is_file) EmptyBeforeWriting(file);
}

void ObservedCommand::ConfigureRun(CommandLine& line) {
  line.Flag("--run", run_, words_.run);
  line.Text("--child", child_, "NAME", words_.child);
}

void ObservedCommand::ConfigureOutput(CommandLine& line) {
  line.Text("-o,--output", output_, "FILE", words_.output);
  line.Flag("--force", overwrite_, "replace FILE where it exists");
}

Status ObservedCommand::Check(const TargetOptions& target) const {
  const auto [name, needed] = std::pair(words_.name, words_.needed);
  if (run_ && command_.empty())
    return Fail(ErrorKind::kUsage, "usage.missing_argument", fmt::format("{} --run needs a command to start", name),
                fmt::format("cairn {} --run{} -o FILE -- COMMAND [ARGUMENT...]", name, needed));
  if (run_ ? target.IsGiven() : NamesCommand())
    return Fail(ErrorKind::kUsage, "usage.conflict", fmt::format("{} takes a process, or --run and a command", name),
                fmt::format("cairn {0} PID{1}, or cairn {0} --run{1} -- COMMAND [ARGUMENT...]", name, needed));
  return {};
}

Result<client::TargetName> ObservedCommand::Target(const TargetOptions& target) const {
  return run_ ? client::TargetName() : target.Target(words_.name);
}

Result<LineOutput> ObservedCommand::OpenLines(const Console& console) const {
  if (output_.empty() && !run_) return LineOutput(STDOUT_FILENO, "the standard output", console.OutStyle(), false);
  if (output_.empty()) return LineOutput(STDERR_FILENO, "the standard error", console.ErrorStyle(), false);
  const auto file = OpenForLines(output_, overwrite_);
  if (!file) return tl::make_unexpected(file.error());
  return LineOutput(*file, output_, {}, true);
}

Result<int> ObservedCommand::Run(Console& console, const client::ObservationRequest& request,
                                 const ObservedTask& task) const {
  CatchForCommand();
  const auto note = [&](const std::string& what) { console.Note(fmt::format("cairn {}: {}", words_.name, what)); };
  int code = task.unobserved;
  bool is_late = false, said = false;
  client::ObservedRun run{command_, child_, request, {}, ForwardNoMore, {}};
  run.only_from_start = !task.late;
  run.on_started = [&](pid_t pid) {
    ForwardTo(pid);
    if (task.on_started) task.on_started();
  };
  run.on_late = [&](const Error& why) {
    is_late = true;
    note(task.late(why));
  };
  run.observe = [&](client::ObservationSession& session) -> Status {
    const auto observed = task.observe(session, is_late);
    if (!observed) return tl::make_unexpected(observed.error());
    code = *observed;
    return {};
  };
  run.on_unreachable = [&](const Error& why) {
    said = true;
    note(fmt::format("{} {} {}; the command goes on.", why.message, why.hint, words_.nothing));
  };
  const auto result = client::RunObserved(run, SignalledForCommand());
  if (!result) return tl::make_unexpected(result.error());
  if (!result->observed && !said)
    note(fmt::format("{} {}", result->observed.error().message, result->observed.error().hint));
  return result->exit_code != kExitDone ? result->exit_code : code;
}

}  // namespace cairn::cli
