#include "collector/client/target.h"

#include <algorithm>
#include <filesystem>

#include "collector/client/elf_file.h"
#include "collector/client/socket_finder.h"

namespace cairn::client {
namespace {

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void FindSockets(const Machine& machine, Target& target) {
  std::string tmp = machine.own_tmp;
  if (target.environment) tmp = FindVariable(*target.environment, "TMPDIR").value_or("/tmp");
  if (tmp.empty()) tmp = "/tmp";
  auto folder = OpenTargetFolder(machine, target.pid, tmp);
  target.tmp.path = tmp;
  if (!folder) return;
  target.tmp = std::move(*folder);
  target.sockets =
      FindDiagnosticsSockets(target.tmp.fd.Get(), target.tmp.path.size(), target.status.inner_pid, target.start_time);
}

// Single-file hosts carry the runtime inside and map no libcoreclr.so.
bool IsSingleFileHost(const Machine& machine, const Target& target) {
  const auto elf = ReadElf(machine.proc.Path(target.pid, "exe"));
  return elf && elf->HasSection("_tlgEventPtrs_DotNETRuntime");
}

}  // namespace

bool Target::Maps(const std::string& file_name) const { return !MappedPath(file_name).empty(); }

std::string Target::MappedPath(const std::string& file_name) const {
  if (!maps) return {};
  for (const MappedFile& file : *maps)
    if (FileName(file.path) == file_name) return file.path;
  return {};
}

IpcAddress Target::Socket() const { return {tmp.fd.Get(), sockets.front()}; }

Result<Target> InspectTarget(const Machine& machine, int64_t pid) {
  const auto status = machine.proc.Status(pid);
  const auto start_time = machine.proc.StartTime(pid);
  if (!status || !start_time || status->state == 'Z' || status->state == 'X')
    return Fail(ErrorKind::kFailed, "target.not_found", "There is no process " + std::to_string(pid) + ".",
                "cairn ps lists the .NET processes.");
  Target target;
  target.pid = pid;
  target.status = *status;
  target.start_time = *start_time;
  target.executable = machine.proc.Executable(pid).value_or("");
  target.command_line = machine.proc.CommandLine(pid);
  target.environment = machine.proc.Environment(pid);
  target.maps = machine.proc.Maps(pid);
  FindSockets(machine, target);
  return target;
}

bool IsNativeAot(const Machine& machine, const Target& target) {
  if (target.Maps("libcoreclr.so")) return false;
  const auto elf = ReadElf(machine.proc.Path(target.pid, "exe"));
  return elf && elf->HasSection("__managedcode");
}

bool IsDotnet(const Machine& machine, const Target& target) {
  return !target.sockets.empty() || target.Maps("libcoreclr.so") || IsSingleFileHost(machine, target);
}

Libc LibcOf(const Target& target) {
  if (!target.maps) return Libc::kUnknown;
  for (const MappedFile& file : *target.maps) {
    const std::string name = FileName(file.path);
    if (name.starts_with("ld-musl-") || name.starts_with("libc.musl-")) return Libc::kMusl;
    if (name == "libc.so.6" || (name.starts_with("libc-2.") && name.ends_with(".so"))) return Libc::kGlibc;
  }
  return Libc::kUnknown;
}

const char* LibcName(Libc libc) {
  return libc == Libc::kMusl ? "musl" : libc == Libc::kGlibc ? "glibc" : "an unknown C library";
}

uint16_t MachineOf(const Machine& machine, const Target& target) {
  const auto elf = ReadElf(machine.proc.Path(target.pid, "exe"));
  return elf ? elf->machine : 0;
}

std::string NameOf(const Target& target, const std::string& entry_assembly) {
  if (!entry_assembly.empty()) return entry_assembly;
  const std::string program = FileName(target.executable);
  if (program == "dotnet")
    for (const std::string& argument : target.command_line)
      if (argument.ends_with(".dll")) return std::filesystem::path(argument).stem();
  if (!program.empty()) return program;
  return target.command_line.empty() ? "" : FileName(target.command_line.front());
}

std::string RuntimeVersionOf(const Target& target) {
  const std::filesystem::path library = target.MappedPath("libcoreclr.so");
  const std::string folder = library.parent_path().filename();
  return !folder.empty() && std::isdigit(static_cast<unsigned char>(folder[0])) ? folder : "";
}

}  // namespace cairn::client
