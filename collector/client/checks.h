#pragma once
// What must hold before an attach, link by link. Each looks at one thing, changes nothing, and says what
// is wrong and what to do. Capture stops at the first that fails; doctor shows them all.

#include "collector/client/machine.h"
#include "collector/client/target.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

Status CheckUser(const Machine& machine, const Target& target);    // target.other_user
Status CheckState(const Target& target);                           // target.stopped
Status CheckDotnet(const Machine& machine, const Target& target);  // target.not_dotnet, target.native_aot
Status CheckSocket(const Target& target);                          // target.no_socket
Status CheckProfiler(const Target& target);                        // attach.other_profiler, attach.resident
Status CheckSwitches(const Target& target);                        // target.diagnostics_off

// Asks the runtime who it is, trying each socket; sockets of other processes and stale ones are dropped
// from `target`. Errors: target.not_responding, target.no_socket and those of diagnostics_ipc.h.
Result<RuntimeInfo> AskTarget(Target& target, milliseconds timeout);

}  // namespace cairn::client
