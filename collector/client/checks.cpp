#include "collector/client/checks.h"

#include <cstdlib>
#include <initializer_list>

#include "collector/client/control_socket.h"
#include "collector/client/missing_socket.h"
#include "collector/client/start_checks.h"

namespace cairn::client {
namespace {

std::string Process(const Target& target) { return "Process " + std::to_string(target.pid); }

// The first of these settings that is set to 0, as the variable is called.
std::optional<std::string> FirstZero(const std::vector<std::string>& environment,
                                     std::initializer_list<const char*> settings) {
  for (const char* prefix : {"DOTNET_", "COMPlus_"})
    for (const char* setting : settings)
      if (FindVariable(environment, std::string(prefix) + setting) == "0") return std::string(prefix) + setting;
  return std::nullopt;
}

// Seen to be safe from this version on; the collector asks the same.
constexpr int kFirstMajorBeside = 8;

// A collector that stays does so at once, one that is about to leave hangs up instead.
constexpr milliseconds kGreetsWithin{2000};

}  // namespace

Status CheckUser(const Machine& machine, const Target& target) {
  if (machine.uid == 0 || machine.uid == target.status.uid) return {};
  return Fail(ErrorKind::kFailed, "target.other_user",
              Process(target) + " belongs to " + UserName(target.status.uid) + ", and cairn runs as " +
                  UserName(machine.uid) + ".",
              "Run cairn as " + (target.status.uid == 0 ? "" : UserName(target.status.uid) + " or as ") + "root.");
}

Status CheckState(const Target& target) {
  if (target.status.state == 'T')
    return Fail(ErrorKind::kFailed, "target.stopped", Process(target) + " is stopped (SIGSTOP).",
                "Let it go on first: kill -CONT " + std::to_string(target.pid) + ".");
  if (target.status.state == 't')
    return Fail(ErrorKind::kFailed, "target.traced", Process(target) + " is held by a debugger.",
                "Detach the debugger or let the process run.");
  return {};
}

Status CheckDotnet(const Machine& machine, const Target& target) {
  if (IsNativeAot(machine, target))
    return Fail(ErrorKind::kFailed, "target.native_aot",
                Process(target) + " is compiled with NativeAOT, which has no profiling interface.",
                "Publish it without PublishAot to look at its heap.");
  if (IsDotnet(machine, target)) return {};
  return Fail(ErrorKind::kFailed, "target.not_dotnet",
              Process(target) + " (" + NameOf(target) + ") is not a .NET process.",
              "cairn ps lists the .NET processes.");
}

Status CheckSwitches(const Target& target) {
  if (!target.environment) return {};
  const auto variable = FirstZero(*target.environment, {"EnableDiagnostics", "EnableDiagnostics_IPC"});
  if (!variable) return {};
  const bool all = variable->ends_with("EnableDiagnostics");
  return Fail(ErrorKind::kFailed, "target.diagnostics_off",
              Process(target) + " was started with " + *variable + "=0, so its runtime listens to no tool.",
              "Start it without " + *variable + (all ? "." : ", or by: cairn run --light -o DIR -- COMMAND."));
}

std::optional<std::string> SwitchedOffAtStart(const std::vector<std::string>& environment) {
  return FirstZero(environment, {"EnableDiagnostics", "EnableDiagnostics_Profiler"});
}

Status CheckStartSwitches(const Target& target) {
  if (!target.environment) return {};
  const auto variable = SwitchedOffAtStart(*target.environment);
  if (!variable) return {};
  return Fail(
      ErrorKind::kFailed, "target.diagnostics_off",
      Process(target) + " was started with " + *variable + "=0, so its runtime loads no collector at its start.",
      "Start it without " + *variable + ".");
}

Status CheckResumed(const Target& target) {
  // Its class library is the first thing that a runtime loads when it is let go on.
  if (!target.environment || !target.Maps("libcoreclr.so") || target.Maps("System.Private.CoreLib.dll")) return {};
  for (const char* variable : {"DOTNET_DiagnosticPorts", "DOTNET_DefaultDiagnosticPortSuspend"}) {
    const std::string value = FindVariable(*target.environment, variable).value_or("");
    if (value.empty() || value == "0") continue;
    return Fail(ErrorKind::kFailed, "target.suspended",
                "The runtime of process " + std::to_string(target.pid) + " waits to be let go on (" + variable + "=" +
                    value + ").",
                "Let the tool at that port resume it, or start it without " + std::string(variable) + ".");
  }
  return {};
}

Status CheckSocket(const Target& target) {
  if (!target.sockets.empty()) return {};
  CAIRN_TRY(CheckSwitches(target));
  return tl::make_unexpected(WhyNoSocket(target));
}

Status CheckResidentRequest(const Target& target, protocol::GcRequest gc, bool stays) {
  if (gc == protocol::GcRequest::kFull) return {};
  // One that attached stays because its runtime lets no profiler go any more; one that was loaded at the start says so.
  const bool may_leave =
      !stays && !target.sockets.empty() && target.environment && AsksForCollector(*target.environment);
  const std::string leave = "end that collector first with: cairn detach " + std::to_string(target.pid);
  return Fail(ErrorKind::kFailed, "attach.resident_young",
              "The collector in process " + std::to_string(target.pid) +
                  " stays there, and what a young collection needs would switch concurrent collections off for good.",
              may_leave                ? "Pass --light or --gc full, or " + leave + "."
              : target.sockets.empty() ? "Pass --light."
                                       : "Pass --light or --gc full.");
}

Status CheckResident(const Target& target) {
  for (const Resident& resident : MeetResidents(target, kGreetsWithin))
    if (!resident.gone) return tl::make_unexpected(InUse(resident, target.pid));
  return {};
}

// What CORECLR_PROFILER_PATH names, if it is mapped: only then is that profiler really there.
std::string OtherProfiler(const Target& target) {
  if (!target.environment) return {};
  for (const char* prefix : {"CORECLR_", "DOTNET_"})
    for (const char* suffix : {"", "_64", "_32", "_ARM64", "_ARM32"}) {
      const auto path = FindVariable(*target.environment, std::string(prefix) + "PROFILER_PATH" + suffix);
      if (!path || path->empty()) continue;
      const std::string name = path->substr(path->rfind('/') + 1);
      if (name.find("libcairn_collector") == std::string::npos && target.Maps(name)) return *path;
    }
  return {};
}

Status CheckBeside(const Target& target, const std::string& profiler, protocol::GcRequest gc,
                   const std::string& version) {
  if (profiler.empty()) return {};
  const std::string active = "Another profiler is active in process " + std::to_string(target.pid) + ": " + profiler;
  const int major = std::atoi(version.c_str());
  if (major != 0 && major < kFirstMajorBeside)
    return Fail(ErrorKind::kFailed, "attach.beside_old_runtime",
                active + ", and beside it no capture is safe in .NET " + version + ".",
                "Start the application without CORECLR_PROFILER.");
  if (gc == protocol::GcRequest::kFull) return {};
  return Fail(ErrorKind::kFailed, "attach.other_profiler",
              active + ". Beside it only a full collection tells its roots.",
              "Pass --gc full, or start the application without CORECLR_PROFILER.");
}

Result<RuntimeInfo> AskTarget(Target& target, milliseconds timeout) {
  Error last{ErrorKind::kFailed, "target.no_socket",
             "No process listens on the diagnostics sockets of process " + std::to_string(target.pid) + ".",
             "They may be left over from an earlier one; cairn clean does not touch them."};
  while (!target.sockets.empty()) {
    pid_t peer = 0;
    auto info = AskProcessInfo(target.Socket(), timeout, &peer);
    const bool other = peer != 0 && peer != target.pid;
    if (info && !other) return info;
    // A runtime older than ProcessInfo answers all the same.
    if (!info && !other && info.error().code == "ipc.unknown_command") return RuntimeInfo{};
    if (!info && !other) last = info.error();
    if (!other && last.code != "target.socket_stale") break;
    target.sockets.erase(target.sockets.begin());
  }
  return tl::make_unexpected(last);
}

}  // namespace cairn::client
