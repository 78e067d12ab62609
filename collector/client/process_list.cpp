#include "collector/client/process_list.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include "collector/client/checks.h"
#include "collector/client/control_socket.h"
#include "collector/client/elf_file.h"
#include "collector/client/on_machine.h"

namespace cairn::client {
namespace {

using Clock = std::chrono::steady_clock;

constexpr milliseconds kAskTimeout{1000};
// For a look at all processes, however many of them do not answer.
constexpr milliseconds kLookTime{2000};
constexpr milliseconds kLeastTimeout{50};
constexpr size_t kMostAtOnce = 32;

// The first link that would stop an attach. `limit`: why not all captures are possible where some are.
Status FirstObstacle(const Machine& machine, Target& target, milliseconds timeout, RuntimeInfo& info,
                     std::string& limit) {
  CAIRN_TRY(CheckUser(machine, target));
  CAIRN_TRY(CheckState(target));
  CAIRN_TRY(CheckDotnet(machine, target));
  if (const auto resident = FindCapturing(target, "first", timeout)) {
    info.version = resident->runtime;
    limit = kLightOrFullOnly + std::string(", by the collector that stays loaded");
    return {};
  }
  CAIRN_TRY(CheckSocket(target));
  auto answer = AskTarget(target, timeout);
  if (!answer) return tl::make_unexpected(answer.error());
  info = *answer;
  CAIRN_TRY(CheckResident(target));
  const std::string other = OtherProfiler(target);
  if (!other.empty()) limit = kLightOrFullOnly + std::string(", beside another profiler: ") + other;
  return CheckBeside(target, other, protocol::GcRequest::kFull, RuntimeVersionOf(target));
}

ProcessInfo Describe(const Machine& machine, Target target, milliseconds timeout) {
  RuntimeInfo runtime;
  std::string limit;
  const Status obstacle = FirstObstacle(machine, target, timeout, runtime, limit);
  ProcessInfo info;
  info.pid = target.pid;
  info.name = NameOf(target, runtime.entry_assembly);
  info.user = UserName(target.status.uid);
  info.runtime = runtime.version.empty() ? RuntimeVersionOf(target) : runtime.version;
  info.rss_bytes = machine.proc.ResidentBytes(target.pid);
  info.attachable = obstacle.has_value();
  if (!limit.empty()) info.reason = limit;
  if (!obstacle) info.reason = obstacle.error().message;
  for (const std::string& argument : target.command_line)
    info.command_line += (info.command_line.empty() ? "" : " ") + argument;
  info.architecture = runtime.architecture;
  const uint16_t elf = info.architecture.empty() ? MachineOf(machine, target) : 0;
  if (elf != 0) info.architecture = ArchitectureName(elf);
  return info;
}

// Several threads at once, so that a process that does not answer costs the others nothing.
class Descriptions {
 public:
  Descriptions(const Machine& machine, std::vector<Target> targets)
      : machine_(machine), targets_(std::move(targets)), infos_(targets_.size()) {}

  std::vector<ProcessInfo> Make() {
    {
      std::vector<std::jthread> helpers;
      StartHelpers(helpers);
      DescribeSome();
    }
    return std::move(infos_);
  }

 private:
  // Fewer do as well, only slower.
  void StartHelpers(std::vector<std::jthread>& helpers) try {
    const size_t wanted = std::min(targets_.size(), kMostAtOnce);
    while (helpers.size() + 1 < wanted) helpers.emplace_back([this] { DescribeSome(); });
  } catch (const std::system_error&) {
  }

  void DescribeSome() {
    for (size_t at; (at = next_++) < targets_.size();) {
      const auto left = std::chrono::duration_cast<milliseconds>(until_ - Clock::now());
      infos_[at] = Describe(machine_, std::move(targets_[at]), std::clamp(left, kLeastTimeout, kAskTimeout));
    }
  }

  const Machine& machine_;
  std::vector<Target> targets_;
  std::vector<ProcessInfo> infos_;
  std::atomic<size_t> next_{0};
  const Clock::time_point until_ = Clock::now() + kLookTime;
};

bool NameMatches(const ProcessInfo& process, const std::string& name) {
  if (process.name == name) return true;
  const std::filesystem::path program = process.command_line.substr(0, process.command_line.find(' '));
  return program.filename() == name;
}

Error Ambiguous(const std::string& name, const std::vector<ProcessInfo>& matches) {
  std::string list;
  for (const ProcessInfo& match : matches) list += (list.empty() ? "" : ", ") + std::to_string(match.pid);
  return {ErrorKind::kUsage, "target.ambiguous", "Several processes are called " + name + ": " + list + ".",
          "Name one with -p PID."};
}

Result<int64_t> ResolveName(const Machine& machine, const std::string& name) {
  auto processes = ListProcessesOn(machine);
  if (!processes) return tl::make_unexpected(processes.error());
  std::erase_if(*processes, [&](const ProcessInfo& process) { return !NameMatches(process, name); });
  if (processes->size() > 1) return tl::make_unexpected(Ambiguous(name, *processes));
  if (processes->size() == 1) return processes->front().pid;
  return Fail(ErrorKind::kFailed, "target.missing", "No .NET process is called " + name + ".",
              "cairn ps lists the .NET processes.");
}

Result<int64_t> ResolvePort(const Machine& machine, const std::string& port) {
  pid_t peer = 0;
  const auto info = AskProcessInfo({-1, port}, kAskTimeout, &peer);
  if (!info && info.error().code != "ipc.unknown_command") return tl::make_unexpected(info.error());
  if (peer > 0 && machine.proc.Exists(peer)) return peer;
  return Fail(ErrorKind::kFailed, "target.missing",
              "The process that listens on " + port + " is not visible from here.",
              "Run cairn where the process is visible: in its container, or with the host's processes in sight.");
}

}  // namespace

Result<std::vector<ProcessInfo>> ListProcessesOn(const Machine& machine) {
  std::vector<Target> targets;
  for (const int64_t pid : machine.proc.Pids()) {
    auto target = InspectTarget(machine, pid);
    if (!target) continue;
    // Cheap signs only: the programs of all processes of the machine are not read for this.
    if (target->sockets.empty() && !target->Maps("libcoreclr.so")) continue;
    if (!IsDotnet(machine, *target)) continue;  // what an earlier process left
    targets.push_back(std::move(*target));
  }
  return Descriptions(machine, std::move(targets)).Make();
}

Result<int64_t> ResolveTargetOn(const Machine& machine, const TargetName& target) {
  if (target.pid) {
    const auto found = InspectTarget(machine, *target.pid);
    if (!found) return tl::make_unexpected(found.error());
    return *target.pid;
  }
  if (!target.diagnostic_port.empty()) return ResolvePort(machine, target.diagnostic_port);
  if (!target.name.empty()) return ResolveName(machine, target.name);
  return Fail(ErrorKind::kUsage, "target.unnamed", "No process was named.",
              "Pass a PID, -n NAME or --diagnostic-port.");
}

Result<std::vector<ProcessInfo>> ListProcesses() { return ListProcessesOn(Machine::This()); }
Result<int64_t> ResolveTarget(const TargetName& target) { return ResolveTargetOn(Machine::This(), target); }

}  // namespace cairn::client
