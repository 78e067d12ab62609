#include "collector/client/start_checks.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "collector/client/checks.h"
#include "collector/client/elf_file.h"
#include "collector/client/library_placement.h"
#include "collector/client/start_activation.h"
#include "collector/client/target_folder.h"

namespace cairn::client {
namespace {

constexpr const char* kPath = "CORECLR_PROFILER_PATH";

tl::unexpected<Error> Broken(const char* code, std::string message, std::string hint) {
  return Fail(ErrorKind::kFailed, code, std::move(message), std::move(hint));
}

std::string Value(const StartPlace& place, const std::string& variable) {
  return FindVariable(*place.target.environment, variable).value_or("");
}

std::string Upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// In the order in which a runtime looks.
std::vector<std::string> Suffixes(uint16_t elf_machine) {
  switch (elf_machine) {
    case EM_AARCH64:
      return {"_ARM64", "_64", ""};
    case EM_ARM:
      return {"_ARM32", "_32", ""};
    case EM_386:
      return {"_32", ""};
    default:
      return {"_64", ""};
  }
}

// "FOLDER", "NAME"
std::pair<std::string, std::string> Parts(const std::string& path) {
  const size_t slash = path.rfind('/');
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

bool Allows(const struct stat& info, const ProcStatus& process, mode_t of_others) {
  if (process.uid == 0) return true;
  const mode_t bit = info.st_uid == process.uid   ? of_others << 6
                     : info.st_gid == process.gid ? of_others << 3
                                                  : of_others;
  return (info.st_mode & bit) != 0;
}

Status CheckEnabled(StartPlace& place) {
  const std::string enabled = Value(place, "CORECLR_ENABLE_PROFILING");
  if (enabled == "1") return {};
  return Broken("start.not_enabled",
                enabled.empty()
                    ? "CORECLR_PROFILER variables are set, but CORECLR_ENABLE_PROFILING is not, so the runtime "
                      "loads no profiler."
                    : "CORECLR_ENABLE_PROFILING is " + enabled + ", so the runtime loads no profiler.",
                "Set CORECLR_ENABLE_PROFILING=1.");
}

Status CheckKnobs(StartPlace& place) { return CheckStartSwitches(place.target); }

Status CheckClass(StartPlace& place) {
  const std::string clsid = Value(place, "CORECLR_PROFILER");
  const auto path = ProfilerPath(*place.target.environment, place.elf_machine);
  const bool ours = path && path->second.find("libcairn_collector") != std::string::npos;
  if (Upper(clsid) == ClsidText()) return {};
  if (clsid.empty())
    return Broken("start.no_class",
                  "CORECLR_PROFILER is not set, so the runtime does not know what to ask the library for.",
                  "Set CORECLR_PROFILER=" + ClsidText() + ".");
  if (ours)
    return Broken("start.wrong_class", "CORECLR_PROFILER is " + clsid + ", which the collector does not answer to.",
                  "Set CORECLR_PROFILER=" + ClsidText() + ".");
  return Broken(
      "start.other_profiler",
      "Another profiler is asked for at the start: CORECLR_PROFILER=" + clsid + (path ? ", " + path->second : "") + ".",
      "A runtime loads one at its start; leave out CORECLR_ENABLE_PROFILING, or capture by attach with --gc full.");
}

Status CheckPathGiven(StartPlace& place) {
  const auto path = ProfilerPath(*place.target.environment, place.elf_machine);
  if (path) {
    place.library = path->second;
    return {};
  }
  for (const char* suffix : {"_64", "_32", "_ARM64", "_ARM32"})
    if (!Value(place, kPath + std::string(suffix)).empty())
      return Broken("start.other_suffix",
                    std::string(kPath) + suffix + " is set, which a runtime for " +
                        ArchitectureName(place.elf_machine) + " does not look at.",
                    "Set CORECLR_PROFILER_PATH, which all of them look at.");
  return Broken("start.no_path",
                "CORECLR_PROFILER_PATH is not set, so the runtime does not know which library to load.",
                "Set it to the full path of libcairn_collector.so, or start the command by: cairn run.");
}

Status CheckPathFull(StartPlace& place) {
  if (place.library.front() == '/') return {};
  return Broken("start.relative_path", "CORECLR_PROFILER_PATH is " + place.library + ", which is no full path.",
                "Set it to the full path of libcairn_collector.so.");
}

// What a path leads to in the target's own file system; the descriptor is opened for looking only.
UniqueFd OpenInTarget(const StartPlace& place, struct stat& info) {
  const auto [folder, name] = Parts(place.library);
  const auto opened = OpenTargetFolder(place.machine, place.target.pid, folder);
  UniqueFd file(opened ? openat(opened->fd.Get(), name.c_str(), O_PATH | O_CLOEXEC) : -1);
  if (file && fstat(file.Get(), &info) != 0) file.Reset();
  return file;
}

Status CheckFileThere(StartPlace& place) {
  struct stat info {};
  const UniqueFd file = OpenInTarget(place, info);
  if (!file)
    return Broken(
        "start.missing", "There is no file " + place.library + " where the process runs.",
        "Copy the collector library there (in a container: into the image), or correct CORECLR_PROFILER_PATH.");
  if (S_ISREG(info.st_mode)) return {};
  return Broken("start.missing", place.library + " is no file.", "Set CORECLR_PROFILER_PATH to the library's file.");
}

Status CheckReadable(StartPlace& place) {
  const ProcStatus& process = place.target.status;
  const auto cannot = [&](const std::string& what) {
    return Broken("start.unreadable",
                  what + " may not be read by " + UserName(process.uid) + ", as whom the process runs.",
                  "Let everybody read the library and enter the folders above it.");
  };
  struct stat info {};
  if (const UniqueFd file = OpenInTarget(place, info); file && !Allows(info, process, S_IROTH))
    return cannot(place.library);
  for (std::string folder = Parts(place.library).first; folder != "/"; folder = Parts(folder).first) {
    const auto opened = OpenTargetFolder(place.machine, place.target.pid, folder);
    if (opened && fstat(opened->fd.Get(), &info) == 0 && !Allows(info, process, S_IXOTH)) return cannot(folder);
  }
  return {};
}

Status CheckFits(StartPlace& place) {
  struct stat info {};
  const UniqueFd file = OpenInTarget(place, info);
  const auto elf = ReadElf("/proc/self/fd/" + std::to_string(file.Get()));
  if (!elf || elf->type != ET_DYN)
    return Broken("start.not_library", place.library + " is no shared library of Linux.",
                  "Set CORECLR_PROFILER_PATH to libcairn_collector.so.");
  if (place.elf_machine != 0 && elf->machine != place.elf_machine)
    return Broken("start.wrong_architecture",
                  place.library + " is for " + ArchitectureName(elf->machine) + ", and the process runs as " +
                      ArchitectureName(place.elf_machine) + ".",
                  "Use the collector library for " + ArchitectureName(place.elf_machine) + ".");
  if (CheckLibc(place.libc, *elf, place.library)) return {};
  Error error = CheckLibc(place.libc, *elf, place.library).error();
  error.code = "start.wrong_libc";
  return tl::make_unexpected(error);
}

Status CheckControlFolder(StartPlace& place) {
  const std::string path = Value(place, "CAIRN_CONTROL_DIR");
  if (path.empty()) return {};
  const auto folder = OpenTargetFolder(place.machine, place.target.pid, path);
  struct stat info {};
  const bool found = path.front() == '/' && folder && fstat(folder->fd.Get(), &info) == 0;
  if (found && info.st_uid == place.target.status.uid && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  return Broken(
      "start.control_folder",
      "CAIRN_CONTROL_DIR is " + path + ", which is " +
          (found ? "not the process's own, or may be written by others" : "no folder where the process runs") +
          ", so the collector makes its socket in TMPDIR.",
      "Make it a folder of the process's user with mode 0700, or leave the variable out.");
}

constexpr Status (*kChecks[])(StartPlace&) = {CheckEnabled,   CheckKnobs,    CheckClass,
                                              CheckPathGiven, CheckPathFull, CheckFileThere,
                                              CheckReadable,  CheckFits,     CheckControlFolder};

}  // namespace

bool AsksForProfiler(const std::vector<std::string>& environment) {
  return std::any_of(environment.begin(), environment.end(), [](const std::string& variable) {
    return variable.starts_with("CORECLR_ENABLE_PROFILING=") || variable.starts_with("CORECLR_PROFILER");
  });
}

bool AsksForCollector(const std::vector<std::string>& environment) {
  return std::any_of(environment.begin(), environment.end(), [](const std::string& variable) {
    const bool is_class =
        variable.starts_with("CORECLR_PROFILER=") && Upper(variable).find(ClsidText()) != std::string::npos;
    return is_class || (variable.starts_with(kPath) && variable.find("libcairn_collector") != std::string::npos);
  });
}

std::optional<std::pair<std::string, std::string>> ProfilerPath(const std::vector<std::string>& environment,
                                                                uint16_t elf_machine) {
  for (const std::string& suffix : Suffixes(elf_machine)) {
    const auto path = FindVariable(environment, kPath + suffix);
    if (path && !path->empty()) return std::pair(kPath + suffix, *path);
  }
  return std::nullopt;
}

Status CheckStart(StartPlace place) {
  if (!place.target.environment) return {};
  for (const auto check : kChecks) CAIRN_TRY(check(place));
  return {};
}

}  // namespace cairn::client
