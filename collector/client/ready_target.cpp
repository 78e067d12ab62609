#include "collector/client/ready_target.h"

#include "collector/client/capture_request.h"
#include "collector/client/checks.h"
#include "collector/client/elf_file.h"
#include "collector/client/library_placement.h"
#include "collector/client/on_machine.h"

namespace cairn::client {
namespace {

// Harmless when late, so that a busy machine gets its time; a stopped process is known before it is asked.
constexpr milliseconds kAskTimeout{5000};

Status FindTarget(const Machine& machine, const CaptureRequest& request, Target& target) {
  const auto pid = ResolveTargetOn(machine, request.target);
  if (!pid) return tl::make_unexpected(pid.error());
  auto found = InspectTarget(machine, *pid);
  if (!found) return tl::make_unexpected(found.error());
  target = std::move(*found);
  return {};
}

Status AskRuntime(const Machine& machine, const CaptureRequest& request, ReadyTarget& ready) {
  auto info = AskTarget(ready.target, kAskTimeout);
  if (!info) {
    // A process that was stopped a moment ago may only now look so.
    if (const auto now = InspectTarget(machine, ready.target.pid)) CAIRN_TRY(CheckState(*now));
    return tl::make_unexpected(info.error());
  }
  ready.runtime = std::move(*info);
  if (ready.runtime.version.empty()) ready.runtime.version = RuntimeVersionOf(ready.target);
  return CheckRuntime(request, ready.runtime.version);
}

// Over its own socket, whether the runtime listens or not.
Status AskResident(const CaptureRequest& request, ReadyTarget& ready) {
  CAIRN_TRY(CheckResidentRequest(ready.target, EffectiveGc(request), ready.resident->stays));
  ready.runtime.version = ready.resident->runtime;
  if (ready.runtime.version.empty()) ready.runtime.version = RuntimeVersionOf(ready.target);
  return CheckRuntime(request, ready.runtime.version);
}

Status CheckAll(const Machine& machine, const CaptureRequest& request, ResidentUse use, ReadyTarget& ready) {
  CAIRN_TRY(FindTarget(machine, request, ready.target));
  CAIRN_TRY(CheckUser(machine, ready.target));
  CAIRN_TRY(CheckState(ready.target));
  CAIRN_TRY(CheckDotnet(machine, ready.target));
  CAIRN_TRY(CheckChoice(ready.target, request.runtime, kAskTimeout));
  if (use == ResidentUse::kAsked && !request.IsHeld())
    ready.resident = FindCapturing(ready.target, request.runtime, kAskTimeout);
  if (ready.resident) return AskResident(request, ready);
  CAIRN_TRY(CheckSocket(ready.target));
  CAIRN_TRY(AskRuntime(machine, request, ready));
  if (!request.IsHeld()) CAIRN_TRY(CheckResident(ready.target));
  ready.other_profiler = OtherProfiler(ready.target);
  CAIRN_TRY(CheckBeside(ready.target, ready.other_profiler, EffectiveGc(request), ready.runtime.version));
  auto library = LocateLibrary(machine, request.library);
  if (!library) return tl::make_unexpected(library.error());
  ready.library = std::move(*library);
  return CheckLibrary(machine, ready.target, ready.library);
}

}  // namespace

Result<ReadyTarget> MakeReady(const Machine& machine, const CaptureRequest& request, ResidentUse use) {
  ReadyTarget ready;
  const Status checked = CheckAll(machine, request, use, ready);
  if (!checked) return tl::make_unexpected(checked.error());
  return ready;
}

}  // namespace cairn::client
