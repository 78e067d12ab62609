#include "collector/client/doctor.h"

#include <unistd.h>

#include <cstdlib>

#include "collector/client/checks.h"
#include "collector/client/control_socket.h"
#include "collector/client/elf_file.h"
#include "collector/client/library_placement.h"
#include "collector/client/on_machine.h"
#include "collector/client/start_activation.h"
#include "collector/client/start_checks.h"

namespace cairn::client {
namespace {

constexpr milliseconds kAskTimeout{1000};
constexpr uint64_t kMegabyte = 1u << 20;

// What every probe of a process may look at.
struct Patient {
  const Machine& machine;
  Target& target;
  std::string library;               // empty when there is none
  std::optional<Resident> resident;  // one that takes captures
};

// Its own socket serves captures, whatever the runtime listens to.
Probe OverResident(std::string name) {
  return {std::move(name), true, "It is not needed: see start-up.", std::nullopt};
}

Probe Judge(std::string name, const Status& status, std::string found) {
  if (status) return {std::move(name), true, std::move(found), std::nullopt};
  return {std::move(name), false, status.error().message, status.error().hint};
}

// Sound, but not for a young capture: what that one's refusal advises is the remedy.
Probe Limited(std::string name, const std::string& found, const Status& young) {
  return {std::move(name), true, found + kLightOrFullOnly + ".", young.error().hint};
}

Probe ProbeProcess(const Patient& patient) {
  return {"process", true,
          "Process " + std::to_string(patient.target.pid) + " runs " + NameOf(patient.target) + " and calls itself " +
              std::to_string(patient.target.status.inner_pid) + ".",
          std::nullopt};
}

Probe ProbeUser(const Patient& patient) {
  return Judge("user", CheckUser(patient.machine, patient.target),
               "It belongs to " + UserName(patient.target.status.uid) + "; cairn runs as " +
                   UserName(patient.machine.uid) + ".");
}

Probe ProbeState(const Patient& patient) { return Judge("state", CheckState(patient.target), "It is running."); }

Probe ProbeDotnet(const Patient& patient) {
  const std::string library = patient.target.MappedPath("libcoreclr.so");
  return Judge("dotnet", CheckDotnet(patient.machine, patient.target),
               library.empty() ? "It carries a .NET runtime." : "Its runtime is " + library + ".");
}

Probe ProbeSwitches(const Patient& patient) {
  if (patient.resident && patient.target.sockets.empty()) return OverResident("switches");
  return Judge("switches", CheckSwitches(patient.target), "No variable switches diagnostics off.");
}

Probe ProbeSocket(const Patient& patient) {
  if (patient.resident && patient.target.sockets.empty()) return OverResident("socket");
  const Target& target = patient.target;
  if (target.sockets.empty() && !CheckSwitches(target))
    return {"socket", false, "It has none, as its diagnostics are switched off.", "See the probe of its switches."};
  const std::string found = target.sockets.empty() ? "" : target.tmp.path + "/" + target.sockets.front();
  return Judge("socket", CheckSocket(target), "Its diagnostics socket is " + found + ".");
}

Probe ProbeAnswer(const Patient& patient) {
  if (patient.resident && patient.target.sockets.empty()) return OverResident("answers");
  if (patient.target.status.state == 'T' || patient.target.status.state == 't')
    return {"answers", false, "It was not asked: a stopped process does not answer.", "Let the process run first."};
  if (patient.target.sockets.empty())
    return {"answers", false, "It was not asked: it has no socket.", "See the probe of its socket."};
  const auto info = AskTarget(patient.target, kAskTimeout);
  if (!info) return Judge("answers", tl::make_unexpected(info.error()), "");
  if (const Status resumed = CheckResumed(patient.target); !resumed) return Judge("answers", resumed, "");
  const std::string version = info->version.empty() ? RuntimeVersionOf(patient.target) : info->version;
  return {"answers", true, "Its runtime answers: .NET " + (version.empty() ? "of an unknown version" : version) + ".",
          std::nullopt};
}

Probe ProbeProfiler(const Patient& patient) {
  const Target& target = patient.target;
  if (patient.resident) return {"profiler", true, "It is the collector itself.", std::nullopt};
  const Status resident = CheckResident(target);
  if (!resident) return Judge("profiler", resident, "");
  const std::string other = OtherProfiler(target);
  if (other.empty()) return {"profiler", true, "It was started with no other profiler.", std::nullopt};
  const std::string version = RuntimeVersionOf(target);
  const Status full = CheckBeside(target, other, protocol::GcRequest::kFull, version);
  if (!full) return Judge("profiler", full, "");
  return Limited("profiler", "Another profiler is active: " + other + ". Beside it captures work ",
                 CheckBeside(target, other, protocol::GcRequest::kYoung, version));
}

// How it was started, where that concerns profilers.
Probe ProbeStartUp(const Patient& patient) {
  const Target& target = patient.target;
  if (patient.resident)
    return Limited("start-up", "A collector stays loaded, and takes captures at " + patient.resident->path + " ",
                   CheckResidentRequest(target, protocol::GcRequest::kYoung, patient.resident->stays));
  if (!target.environment || !AsksForProfiler(*target.environment))
    return {"start-up", true, "No profiler was asked for at its start.", std::nullopt};
  if (!AsksForCollector(*target.environment))
    return {"start-up", true, "Another profiler was asked for at its start.", std::nullopt};
  const uint16_t machine = MachineOf(patient.machine, target);
  const Status status = CheckStart({patient.machine, target, machine, LibcOf(target)});
  if (!status) return Judge("start-up", status, "");
  const auto path = ProfilerPath(*target.environment, machine);
  const bool mapped = path && target.Maps(path->second.substr(path->second.rfind('/') + 1));
  if (mapped) return {"start-up", true, "The collector was loaded at its start, and has left.", std::nullopt};
  return {"start-up", false,
          "The variables are right, but the library is not loaded: the C library may have refused it.",
          "Start it with LD_DEBUG=files to see why, or use the packaged collector library."};
}

Probe ProbeLibrary(const Patient& patient) {
  if (patient.library.empty()) {
    const auto located = LocateLibrary(patient.machine, {});
    return Judge("library", located ? Status() : tl::make_unexpected(located.error()), "");
  }
  const bool readable = access(patient.library.c_str(), R_OK) == 0;
  return {"library", readable, "The collector library is " + patient.library + (readable ? "." : ", and not readable."),
          readable ? std::nullopt : std::optional<std::string>("Make it readable.")};
}

Probe ProbeArchitecture(const Patient& patient) {
  if (patient.library.empty())
    return {"architecture", false, "Without a library there is nothing to compare.", "See the probe before."};
  const uint16_t machine = MachineOf(patient.machine, patient.target);
  return Judge("architecture", CheckLibrary(patient.machine, patient.target, patient.library),
               "Library and process fit: " + ArchitectureName(machine) + ", " + LibcName(LibcOf(patient.target)) + ".");
}

// Where the library would be placed; looks only.
Probe ProbePlacement(const Patient& patient) {
  const TargetFolder& tmp = patient.target.tmp;
  if (!tmp.fd)
    return {"placement", false, "Its temporary folder " + tmp.path + " cannot be opened from here.",
            "Run cairn as the target's user or as root."};
  const auto path = FindPlacement(patient.machine, patient.target);
  if (!path) return Judge("placement", tl::make_unexpected(path.error()), "");
  const bool same =
      patient.machine.proc.MountNamespace(patient.target.pid) == patient.machine.proc.MountNamespace(getpid());
  return {"placement", true,
          "The library goes to " + *path + (same ? "." : " in the file system of the target, which is not this one."),
          std::nullopt};
}

Probe ProbeMemory(const Patient& patient) {
  const uint64_t resident = patient.machine.proc.ResidentBytes(patient.target.pid);
  const auto limit = patient.machine.proc.MemoryLimit(patient.target.pid);
  const std::string used = std::to_string(resident / kMegabyte) + " MB resident";
  if (!limit) return {"memory", true, used + ", no limit.", std::nullopt};
  // The walk's buffers take about an eighth of the heap, and the heap is at most what is resident.
  const bool fits = *limit > resident && *limit - resident >= resident / 8;
  return {"memory", fits, used + " of " + std::to_string(*limit / kMegabyte) + " MB allowed.",
          fits ? std::nullopt : std::optional<std::string>("Raise the memory limit of its cgroup before a capture.")};
}

using ProbeFunction = Probe (*)(const Patient&);
constexpr ProbeFunction kProbes[] = {ProbeProcess,      ProbeUser,      ProbeState,    ProbeDotnet,  ProbeSwitches,
                                     ProbeSocket,       ProbeAnswer,    ProbeProfiler, ProbeStartUp, ProbeLibrary,
                                     ProbeArchitecture, ProbePlacement, ProbeMemory};

// ---- start-up activation ------------------------------------------------------------------------------

// Empty: there is none.
std::string FindProgram(const std::vector<std::string>& environment, const std::string& program) {
  std::vector<std::string> places = {program};
  if (program.find('/') == std::string::npos) {
    places.clear();
    for (const std::string& folder : Split(FindVariable(environment, "PATH").value_or(""), ':'))
      places.push_back(folder + "/" + program);
  }
  for (const std::string& place : places)
    if (access(place.c_str(), X_OK) == 0) return place;
  return {};
}

Probe ProbeCommand(const std::vector<std::string>& environment, const std::vector<std::string>& command) {
  if (command.empty()) return {"command", false, "No command was given.", "Pass it after --."};
  const std::string place = FindProgram(environment, command.front());
  if (!place.empty()) return {"command", true, "The program is " + place + ".", std::nullopt};
  return {"command", false, "There is no program " + command.front() + ".", "Check the path, and PATH."};
}

Probe ProbeStartSwitches(const std::vector<std::string>& environment) {
  const auto variable = SwitchedOffAtStart(environment);
  if (variable)
    return {"switches", false, *variable + "=0 keeps the runtime from loading a profiler at its start.",
            "Leave out " + *variable + "."};
  return {"switches", true,
          KeepsSocketOff(environment)
              ? "The runtime will not listen to tools: cairn run --light loads the collector at the start."
              : "No variable switches profilers off.",
          std::nullopt};
}

// A script or `dotnet` may start what it likes: then only this machine's kind is known.
Probe ProbeStartProfiler(const std::vector<std::string>& environment, const std::vector<std::string>& command) {
  const Machine machine = Machine::This();
  Target target;
  target.pid = getpid();
  target.environment = environment;
  target.status.uid = machine.uid;
  if (!AsksForProfiler(environment))
    return {"profiler", true, "No profiler is asked for; cairn run asks for the collector where it has to.",
            std::nullopt};
  const auto elf = ReadElf(command.empty() ? "" : FindProgram(environment, command.front()));
  const uint16_t elf_machine = elf ? elf->machine : MachineOf(machine, target);
  const Libc libc = !elf || elf->interpreter.empty()                        ? Libc::kUnknown
                    : elf->interpreter.find("ld-musl") != std::string::npos ? Libc::kMusl
                                                                            : Libc::kGlibc;
  return Judge("profiler", CheckStart({machine, target, elf_machine, libc}),
               "The runtime will load the collector at its start.");
}

Probe ProbeStartTmp(const std::vector<std::string>& environment) {
  const std::string tmp = FindVariable(environment, "TMPDIR").value_or("/tmp");
  if (access(tmp.c_str(), W_OK | X_OK) != 0)
    return {"tmp", false, tmp + " is not writable, so the runtime makes no socket.",
            "Set TMPDIR to a writable folder."};
  constexpr size_t kLongest = 80;
  if (tmp.size() > kLongest)
    return {"tmp", false, tmp + " is too long for a socket path.", "Set TMPDIR to a shorter path."};
  return {"tmp", true, "Its sockets will be in " + tmp + ".", std::nullopt};
}

Probe ProbeStartLibrary() {
  const auto located = LocateLibrary(Machine::This(), {});
  return Judge("library", located ? Status() : tl::make_unexpected(located.error()),
               located ? "The collector library is " + *located + "." : "");
}

}  // namespace

std::vector<Probe> DiagnoseOn(const Machine& machine, int64_t pid, const std::string& library) {
  auto target = InspectTarget(machine, pid);
  if (!target) return {Judge("process", tl::make_unexpected(target.error()), "")};
  const auto located = LocateLibrary(machine, library);
  const Patient patient{machine, *target, located.value_or(""), FindCapturing(*target, "first", kAskTimeout)};
  std::vector<Probe> probes;
  for (const ProbeFunction probe : kProbes) {
    probes.push_back(probe(patient));
    // Of what has no runtime nothing more is to be said.
    if (probe == ProbeDotnet && !probes.back().ok) break;
  }
  return probes;
}

std::vector<Probe> Diagnose(int64_t pid) { return DiagnoseOn(Machine::This(), pid); }

std::vector<Probe> DiagnoseEnvironment(const std::vector<std::string>& environment,
                                       const std::vector<std::string>& command) {
  return {ProbeCommand(environment, command), ProbeStartSwitches(environment), ProbeStartProfiler(environment, command),
          ProbeStartTmp(environment), ProbeStartLibrary()};
}

}  // namespace cairn::client
