#include "collector/client/run_session.h"

#include <thread>

#include "collector/client/capture_request.h"
#include "collector/client/checks.h"
#include "collector/client/child_program.h"
#include "collector/client/process_tree.h"
#include "collector/client/start_activation.h"

namespace cairn::client {
namespace {

constexpr milliseconds kTick{50};

Error Inherited(Error error) {
  error.message = "The command would inherit what keeps the collector out: " + error.message;
  return error;
}

// At its start the collector takes full collections only; which of them is never decided for the user.
Status CheckStartRequest(const CaptureRequest& request) {
  if (EffectiveGc(request) == protocol::GcRequest::kFull) return {};
  return Fail(ErrorKind::kFailed, "attach.resident_young",
              "The command can be captured only by a collector that is loaded at its start, where what a young "
              "collection needs would switch concurrent collections off for good.",
              "Pass --light.");
}

Error NothingFound(const RunRequest& request) {
  const std::string what = request.child.empty() ? "no .NET process" : "no .NET process called " + request.child;
  return {ErrorKind::kFailed, "run.no_process",
          "The command ended, and " + what + " was found below it that could be captured.",
          "--child NAME chooses among the processes that it starts; very short runs may be missed."};
}

Error Interrupted() {
  return {ErrorKind::kFailed, "run.interrupted", "The command was interrupted before a snapshot could be taken.", ""};
}

class RunSession {
 public:
  RunSession(const RunRequest& request, const RunEvents& events,
             const std::function<void(const CaptureProgress&)>& progress, const std::atomic<bool>& cancel)
      : request_(request), events_(events), progress_(progress), cancel_(cancel), machine_(Machine::This()) {}

  Result<RunResult> Run() {
    CAIRN_TRY(CheckRequest(request_.series.capture));
    CAIRN_TRY(PrepareEnvironment());
    CAIRN_TRY(PrepareFolder(request_.series.options.folder));
    auto child = ChildProgram::Start(request_.command, environment_);
    if (!child) return tl::make_unexpected(child.error());
    events_.on_started(child->Pid());
    auto series = Watch(*child);
    while (!child->HasEnded()) std::this_thread::sleep_for(kTick);
    events_.on_ending();
    return RunResult{child->Reap(), std::move(series)};
  }

 private:
  // The command inherits what switches the diagnostics off, so it need not be started to know.
  Status PrepareEnvironment() {
    environment_ = OwnEnvironment();
    at_start_ = request_.at_start || KeepsSocketOff(environment_);
    if (!at_start_) return {};
    auto prepared = StartEnvironment(machine_, environment_, request_.series.capture.library);
    if (!prepared) return tl::make_unexpected(Inherited(prepared.error()));
    environment_ = std::move(*prepared);
    return CheckStartRequest(request_.series.capture);
  }

  Result<SeriesResult> Watch(const ChildProgram& child) {
    auto target = WaitForTarget(child);
    if (!target) return tl::make_unexpected(target.error());
    SeriesRequest series = request_.series;
    series.capture.target = {target->pid, {}, {}};
    auto result = WatchSeriesOn(machine_, series, events_.series, progress_, cancel_);
    const Error* error = !result ? &result.error() : result->error ? &*result->error : nullptr;
    if (error && !child.HasEnded()) events_.on_no_more(*error);
    return result;
  }

  Result<Target> WaitForTarget(const ChildProgram& child) {
    bool said = false;
    Status switches;
    while (!child.HasEnded()) {
      if (cancel_) return tl::make_unexpected(Interrupted());
      if (auto found = FindWatched(machine_, child.Pid(), request_.child)) return std::move(*found);
      if (!said) switches = CheckTreeSwitches(machine_, child.Pid(), request_.child, at_start_);
      if (!said && !switches) {
        events_.on_no_more(switches.error());
        said = true;
      }
      std::this_thread::sleep_for(kTick);
    }
    return tl::make_unexpected(switches ? NothingFound(request_) : switches.error());
  }

  const RunRequest& request_;
  const RunEvents& events_;
  const std::function<void(const CaptureProgress&)>& progress_;
  const std::atomic<bool>& cancel_;
  const Machine machine_;
  std::vector<std::string> environment_;  // of the command
  bool at_start_ = false;
};

}  // namespace

Result<RunResult> RunAndWatch(const RunRequest& request, const RunEvents& events,
                              const std::function<void(const CaptureProgress&)>& progress,
                              const std::atomic<bool>& cancel) {
  return RunSession(request, events, progress, cancel).Run();
}

}  // namespace cairn::client
