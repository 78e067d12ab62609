#include "collector/client/observed_run.h"

#include <thread>

#include "collector/client/child_program.h"
#include "collector/client/process_tree.h"

namespace cairn::client {
namespace {

constexpr milliseconds kTick{20};
// A runtime that has just begun refuses for a moment.
constexpr int kTries = 250;

// A process that does not listen, and why: said while there is still time to do something about it.
bool SayWhyNot(const ObservedRun& run, const Machine& machine, const ChildProgram& child, Status& status) {
  const Status switches = CheckTreeSwitches(machine, child.Pid(), run.child, false);
  if (switches) return false;
  status = switches;
  run.on_unreachable(switches.error());
  return true;
}

Status ObserveIn(const ObservedRun& run, const ChildProgram& child, const std::atomic<bool>& cancel) {
  const Machine machine = Machine::This();
  Status status =
      Fail(ErrorKind::kFailed, "run.no_process", "The command ended, and no .NET process was observed below it.",
           "--child NAME chooses among the processes that it starts; very short runs may be missed.");
  bool said = false;
  for (int tries = 0; tries < kTries && !child.HasEnded() && !cancel; std::this_thread::sleep_for(kTick)) {
    const auto found = FindWatched(machine, child.Pid(), run.child);
    if (!found && !said) said = SayWhyNot(run, machine, child, status);
    if (!found) continue;
    ++tries;
    ObservationRequest request = run.request;
    request.target = {found->pid, {}, {}};
    auto session = ObservationSession::Start(machine, request, cancel);
    if (session) return run.observe(**session);
    status = tl::make_unexpected(session.error());
  }
  return status;
}

}  // namespace

Result<ObservedRunResult> RunObserved(const ObservedRun& run, const std::atomic<bool>& cancel) {
  auto child = ChildProgram::Start(run.command);
  if (!child) return tl::make_unexpected(child.error());
  run.on_started(child->Pid());
  ObservedRunResult result;
  result.observed = ObserveIn(run, *child, cancel);
  while (!child->HasEnded()) std::this_thread::sleep_for(kTick);
  run.on_ending();
  result.exit_code = child->Reap();
  return result;
}

}  // namespace cairn::client
