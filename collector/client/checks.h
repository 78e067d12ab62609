#pragma once
// What must hold before an attach, link by link. Each looks at one thing, changes nothing, and says what
// is wrong and what to do. Capture stops at the first that fails; doctor shows them all.

#include "collector/client/machine.h"
#include "collector/client/target.h"
#include "collector/protocol/protocol.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

Status CheckUser(const Machine& machine, const Target& target);    // target.other_user
Status CheckState(const Target& target);                           // target.stopped
Status CheckDotnet(const Machine& machine, const Target& target);  // target.not_dotnet, target.native_aot
Status CheckSocket(const Target& target);                          // target.no_socket
Status CheckResident(const Target& target);                        // attach.resident
// What ps and doctor say where a collector that stays, or another profiler, leaves only some captures possible.
inline constexpr const char* kLightOrFullOnly = "with --light or --gc full only";
// Does a collector that stays loaded serve this? `stays`: its runtime lets it go no more. Error attach.resident_young.
Status CheckResidentRequest(const Target& target, protocol::GcRequest gc, bool stays = false);
// The library of another profiler that the process was started with; empty for none. One that was attached later is
// known to the runtime only.
std::string OtherProfiler(const Target& target);
// Can a capture be made beside it? Errors: attach.other_profiler, attach.beside_old_runtime.
Status CheckBeside(const Target& target, const std::string& profiler, protocol::GcRequest gc,
                   const std::string& version);
Status CheckSwitches(const Target& target);  // target.diagnostics_off
// The variable that is 0 and keeps a runtime from loading a profiler at its start.
std::optional<std::string> SwitchedOffAtStart(const std::vector<std::string>& environment);
// May its runtime load a profiler at its start? Error target.diagnostics_off.
Status CheckStartSwitches(const Target& target);
Status CheckResumed(const Target& target);  // target.suspended

// Asks the runtime who it is, trying each socket; sockets of other processes and stale ones are dropped
// from `target`. Errors: target.not_responding, target.no_socket and those of diagnostics_ipc.h.
Result<RuntimeInfo> AskTarget(Target& target, milliseconds timeout);

}  // namespace cairn::client
