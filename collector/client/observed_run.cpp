#include "collector/client/observed_run.h"

#include <poll.h>

#include <memory>
#include <thread>
#include <utility>

#include "collector/client/child_program.h"
#include "collector/client/process_tree.h"
#include "collector/client/start_listener.h"

namespace cairn::client {
namespace {

constexpr milliseconds kTick{20};
// From when a process listens until its runtime loads the collector, on a busy machine.
constexpr milliseconds kCallsWithin{3000};
// A runtime that has just begun refuses for a moment.
constexpr int kTries = 250;

const Error kHasGoneOn{ErrorKind::kFailed, "start.gone_on",
                       "The process waited ten seconds for cairn with its start, and then went on.",
                       "Was cairn stopped, or the machine very busy?"};

// Before it was answered, so that it can still be attached to.
bool HasGoneOn(const Error& error) { return error.code == "stream.closed" || error.code == "target.silent"; }

// A process that does not listen, and why: said while there is still time to do something about it.
bool SayWhyNot(const ObservedRun& run, const Machine& machine, const ChildProgram& child, Status& status) {
  const Status switches = CheckTreeSwitches(machine, child.Pid(), run.child, false);
  if (switches) return false;
  status = switches;
  run.on_unreachable(switches.error());
  return true;
}

// Of one command.
class Observing {
 public:
  Observing(const ObservedRun& run, const std::atomic<bool>& cancel)
      : run_(run), cancel_(cancel), start_(StartListener::Open(machine_, OwnEnvironment(), run.request.library)) {}

  Result<ChildProgram> StartCommand() const {
    return start_ ? ChildProgram::Start(run_.command, start_->Environment()) : ChildProgram::Start(run_.command);
  }

  Status Observe(const ChildProgram& child) {
    Status status =
        Fail(ErrorKind::kFailed, "run.no_process", "The command ended, and no .NET process was observed below it.",
             "--child NAME chooses among the processes that it starts.");
    bool said = false;
    for (int tries = 0; tries < kTries && !child.HasEnded() && !cancel_; Pause()) {
      if (WaitingProcess waiting = NextCaller(); waiting.stream) {
        const Status observed = ObserveFromStart(std::move(waiting));
        if (observed || !HasGoneOn(observed.error())) return observed;
        TurnAwayOthers(kHasGoneOn);
      }
      const auto found = FindWatched(machine_, child.Pid(), run_.child);
      if (!found && !said) said = SayWhyNot(run_, machine_, child, status);
      if (!found || MayCall(*found)) continue;
      if (run_.only_from_start) return NotFromStart(*found);
      ++tries;
      ObservationRequest request = run_.request;
      request.target = {found->pid, {}, {}};
      auto session = ObservationSession::Start(machine_, request, cancel_);
      if (session) return ObserveLate(**session);
      status = tl::make_unexpected(session.error());
    }
    return status;
  }

 private:
  // A process that calls need not wait for the next look.
  void Pause() const {
    pollfd entry{start_ ? start_->Socket().Fd() : -1, POLLIN, 0};
    poll(&entry, 1, static_cast<int>(kTick.count()));
  }

  // The one that is meant; others are let go at once.
  WaitingProcess NextCaller() const {
    if (!start_) return {};
    WaitingProcess waiting = start_->Accept(machine_);
    const auto target = waiting.stream ? InspectTarget(machine_, waiting.pid) : Result<Target>(Target());
    return target && IsCalled(*target, run_.child) ? std::move(waiting) : WaitingProcess();
  }

  Status ObserveFromStart(WaitingProcess waiting) {
    auto session = ObservationSession::StartWaiting(machine_, *start_, std::move(waiting), run_.request, cancel_);
    if (session) TurnAwayOthers({});
    return session ? run_.observe(**session) : tl::make_unexpected(session.error());
  }

  Status ObserveLate(ObservationSession& session) {
    TurnAwayOthers({ErrorKind::kFailed, "start.not_loaded", "The runtime did not load the collector at its start.",
                    "cairn doctor " + std::to_string(session.Pid()) + " says why."});
    run_.on_late(start_.error());
    return run_.observe(session);
  }

  Status NotFromStart(const Target& target) const {
    if (!start_) return tl::make_unexpected(start_.error());
    return Fail(ErrorKind::kFailed, "run.not_from_start",
                "Process " + std::to_string(target.pid) + " did not load the collector at its start.",
                "cairn doctor " + std::to_string(target.pid) + " says why.");
  }

  // Only one is observed: whoever calls from here on finds nobody, and goes on.
  void TurnAwayOthers(Error why) {
    if (start_) start_ = tl::make_unexpected(std::move(why));
  }

  // It has been told to call, and that takes a moment of its start.
  bool MayCall(const Target& target) {
    if (!start_ || !target.environment || !start_->Expects(*target.environment)) return false;
    if (target.pid != expected_) expected_until_ = Clock::now() + kCallsWithin;
    expected_ = target.pid;
    return Clock::now() < expected_until_;
  }

  const ObservedRun& run_;
  const std::atomic<bool>& cancel_;
  const Machine machine_ = Machine::This();
  Result<StartListener> start_;
  int64_t expected_ = 0;
  Clock::time_point expected_until_;
};

}  // namespace

Result<ObservedRunResult> RunObserved(const ObservedRun& run, const std::atomic<bool>& cancel) {
  auto observing = std::make_unique<Observing>(run, cancel);
  auto child = observing->StartCommand();
  if (!child) return tl::make_unexpected(child.error());
  run.on_started(child->Pid());
  ObservedRunResult result;
  result.observed = observing->Observe(*child);
  observing.reset();  // who still waits goes on
  while (!child->HasEnded()) std::this_thread::sleep_for(kTick);
  run.on_ending();
  result.exit_code = child->Reap();
  return result;
}

}  // namespace cairn::client
