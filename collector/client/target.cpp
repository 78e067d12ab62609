#include "collector/client/target.h"

#include <algorithm>
#include <filesystem>

#include "collector/client/elf_file.h"
#include "collector/client/socket_finder.h"

namespace cairn::client {
namespace {

constexpr const char* kRuntimePackage = "Microsoft.NETCore.App.Runtime.";
constexpr size_t kLongestName = 128;
constexpr size_t kLargestManifest = 4u << 20;

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void FindSockets(const Machine& machine, Target& target) {
  std::string tmp = machine.own_tmp;
  if (target.environment) tmp = FindVariable(*target.environment, "TMPDIR").value_or("/tmp");
  if (tmp.empty()) tmp = "/tmp";
  auto folder = OpenTargetFolder(machine, target.pid, tmp);
  target.tmp.path = tmp;
  target.tmp_missing = !folder && folder.error().code == "target.no_folder";
  if (!folder) return;
  target.tmp = std::move(*folder);
  target.sockets =
      FindDiagnosticsSockets(target.tmp.fd.Get(), target.tmp.path.size(), target.status.inner_pid, target.start_time);
}

void OpenControlFolder(const Machine& machine, Target& target) {
  if (!target.environment) return;
  const std::string path = FindVariable(*target.environment, "CAIRN_CONTROL_DIR").value_or("");
  auto folder = path.empty() ? Result<TargetFolder>() : OpenTargetFolder(machine, target.pid, path);
  if (folder) target.control = std::move(*folder);
}

// Digits, a point, a digit, and then anything: "3.1.3", "10.0.0-rc.1".
bool LooksLikeVersion(const std::string& text) {
  const size_t digits = text.find_first_not_of("0123456789");
  const bool pointed = digits != 0 && digits != std::string::npos && text[digits] == '.' && digits + 1 < text.size();
  return pointed && std::isdigit(static_cast<unsigned char>(text[digits + 1]));
}

std::string VersionFolder(const Target& target) {
  const std::filesystem::path library = target.MappedPath("libcoreclr.so");
  const std::string folder = library.parent_path().filename();
  return LooksLikeVersion(folder) ? folder : "";
}

// "3.1.3" of `"runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/3.1.3"`; its name comes without a version too.
std::string VersionInManifest(const std::string& manifest) {
  for (size_t at = manifest.find(kRuntimePackage); at != std::string::npos;
       at = manifest.find(kRuntimePackage, at + 1)) {
    const std::string name = manifest.substr(at, manifest.find('"', at) - at);
    const std::string version = name.substr(name.find('/') + 1);
    if (name.size() <= kLongestName && LooksLikeVersion(version)) return version;
  }
  return {};
}

std::string BundledVersion(const Machine& machine, const Target& target) {
  const std::filesystem::path library = target.MappedPath("libcoreclr.so");
  if (library.empty() || !VersionFolder(target).empty()) return {};
  const auto folder = OpenTargetFolder(machine, target.pid, library.parent_path());
  if (!folder) return {};
  for (const std::string& name : FolderEntries(folder->fd.Get())) {
    if (!name.ends_with(".deps.json")) continue;
    const auto manifest = ReadFile(PathBelow(folder->fd.Get(), name), kLargestManifest);
    if (const std::string version = VersionInManifest(manifest.value_or("")); !version.empty()) return version;
  }
  return {};
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
  OpenControlFolder(machine, target);
  target.bundled_version = BundledVersion(machine, target);
  return target;
}

bool IsNativeAot(const Machine& machine, const Target& target) {
  if (target.Maps("libcoreclr.so")) return false;
  const auto elf = ReadElf(machine.proc.Path(target.pid, "exe"));
  return elf && elf->HasSection("__managedcode");
}

// A socket on which nobody listens tells nothing: an earlier process of that number may have left it.
bool IsDotnet(const Machine& machine, const Target& target) {
  if (target.Maps("libcoreclr.so") || IsSingleFileHost(machine, target)) return true;
  return std::ranges::any_of(target.sockets, [&](const std::string& name) {
    return IsListening({target.tmp.fd.Get(), name}, static_cast<pid_t>(target.pid));
  });
}

Libc LibcOf(const Target& target) {
  if (!target.maps) return Libc::kUnknown;
  for (const MappedFile& file : *target.maps) {
    const std::string name = FileName(file.path);
    // glibc's libc.so is a text for the linker, which nobody maps.
    if (name.starts_with("ld-musl-") || name.starts_with("libc.musl-") || name == "libc.so") return Libc::kMusl;
    if (name == "libc.so.6" || (name.starts_with("libc-2.") && name.ends_with(".so"))) return Libc::kGlibc;
  }
  return Libc::kUnknown;
}

const char* LibcName(Libc libc) {
  return libc == Libc::kMusl ? "musl" : libc == Libc::kGlibc ? "glibc" : "an unknown C library";
}

// The program may be an emulator, as in containers of another architecture, so the runtime comes first.
uint16_t MachineOf(const Machine& machine, const Target& target) {
  const std::string runtime = target.MappedPath("libcoreclr.so");
  if (!runtime.empty())
    if (const auto elf = ReadElf(machine.proc.Path(target.pid, "root") + runtime)) return elf->machine;
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
  const std::string folder = VersionFolder(target);
  return folder.empty() ? target.bundled_version : folder;
}

}  // namespace cairn::client
