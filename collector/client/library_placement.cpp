#include "collector/client/library_placement.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "collector/client/elf_file.h"

namespace cairn::client {
namespace {

constexpr const char* kLibraryName = "libcairn_collector.so";
constexpr std::string_view kPlacedPrefix = "libcairn_collector-", kPlacedSuffix = ".so";
constexpr size_t kHashDigits = 16;
constexpr size_t kWhole = std::numeric_limits<size_t>::max();  // a library that is cut would be loaded all the same

tl::unexpected<Error> Unsafe(const std::string& path, const std::string& why) {
  return Fail(ErrorKind::kFailed, "placement.unsafe", path + " " + why + ", so no library is loaded from it.",
              "Remove it, or set TMPDIR of the target to a folder of its own.");
}

tl::unexpected<Error> Unwritable(const std::string& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  return Fail(ErrorKind::kFailed, full ? "placement.full" : "placement.unwritable",
              "The library cannot be placed in " + path + ": " + ErrnoText(error) + ".",
              full ? "Free some megabytes there." : "Make the target's temporary folder writable.");
}

// Empty: it may be used. Otherwise what is wrong with it.
std::string WhyUnsafe(const Machine& machine, const struct stat& info, bool folder) {
  if (folder ? !S_ISDIR(info.st_mode) : !S_ISREG(info.st_mode)) return folder ? "is no folder" : "is no plain file";
  if (info.st_uid != machine.uid) return "belongs to " + UserName(info.st_uid);
  if (info.st_mode & 022) return "may be written by others";
  return {};
}

enum class Existing { kNone, kSame, kOther };

// What lies under the library's name already; a link is never followed.
Result<Existing> LookAtExisting(const Machine& machine, int folder, const std::string& path, const std::string& name,
                                const std::string& content) {
  UniqueFd fd(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!fd && errno == ENOENT) return Existing::kNone;
  if (!fd && errno == ELOOP) return Unsafe(path + "/" + name, "is a symbolic link");
  struct stat info {};
  if (!fd || fstat(fd.Get(), &info) != 0) return Unwritable(path, errno);
  if (const auto why = WhyUnsafe(machine, info, false); !why.empty()) return Unsafe(path + "/" + name, why);
  const auto there = ReadFile("/proc/self/fd/" + std::to_string(fd.Get()), kWhole);
  return there && *there == content ? Existing::kSame : Existing::kOther;
}

Status WriteLibrary(int folder, const std::string& path, const std::string& name, const std::string& content) {
  const std::string partial = name + "." + RandomHex(6);
  UniqueFd fd(openat(folder, partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0755));
  if (!fd) return Unwritable(path, errno);
  const bool written = WriteAll(fd.Get(), {reinterpret_cast<const uint8_t*>(content.data()), content.size()}) &&
                       fchmod(fd.Get(), 0755) == 0 && fsync(fd.Get()) == 0;
  if (written && renameat(folder, partial.c_str(), folder, name.c_str()) == 0) return {};
  const int error = errno;
  unlinkat(folder, partial.c_str(), 0);
  return Unwritable(path, error);
}

Status CheckExecutable(int folder, const std::string& path) {
  struct statvfs mount {};
  if (fstatvfs(folder, &mount) != 0 || !(mount.f_flag & ST_NOEXEC)) return {};
  return Fail(ErrorKind::kFailed, "placement.noexec", path + " is on a file system mounted noexec.",
              "Set TMPDIR of the target to a folder from which programs may run.");
}

// Without touching anything there.
Result<std::string> LookBelow(const Machine& machine, const TargetFolder& tmp) {
  const std::string path = tmp.path + "/" + PlacementFolderName(machine.uid);
  const auto folder = OpenPlacementFolder(machine, tmp.fd.Get(), path, false);
  if (!folder) return tl::make_unexpected(folder.error());
  if (!*folder && faccessat(tmp.fd.Get(), ".", W_OK | X_OK, AT_EACCESS) != 0) return Unwritable(tmp.path, errno);
  CAIRN_TRY(CheckExecutable(tmp.fd.Get(), tmp.path));
  return path;
}

// The target's own folder first, then others that a container usually has. What somebody else has put into the first
// is not answered by going elsewhere.
template <class Placed, class Place>
Result<Placed> InFirstThatWill(const Machine& machine, const Target& target, Place place) {
  if (!target.tmp.fd) return Unwritable(target.tmp.path, ENOENT);
  Result<Placed> placed = place(target.tmp);
  if (placed || placed.error().code == "placement.unsafe") return placed;
  for (const char* other : {"/tmp", "/var/tmp", "/dev/shm"}) {
    if (target.tmp.path == other) continue;
    const auto folder = OpenTargetFolder(machine, target.pid, other);
    Result<Placed> elsewhere = folder ? place(*folder) : placed;
    if (elsewhere) return elsewhere;
  }
  return placed;
}

Result<PlacedLibrary> PlaceBelow(const Machine& machine, const TargetFolder& tmp, const std::string& content) {
  const std::string path = tmp.path + "/" + PlacementFolderName(machine.uid);
  auto folder = OpenPlacementFolder(machine, tmp.fd.Get(), path, true);
  if (!folder) return tl::make_unexpected(folder.error());
  CAIRN_TRY(CheckExecutable(folder->Get(), path));
  const std::string name = PlacedName(content);
  const auto existing = LookAtExisting(machine, folder->Get(), path, name, content);
  if (!existing) return tl::make_unexpected(existing.error());
  if (*existing != Existing::kSame) CAIRN_TRY(WriteLibrary(folder->Get(), path, name, content));
  return PlacedLibrary{path + "/" + name, *existing == Existing::kSame};
}

bool NeedsPrefix(const ElfFile& elf, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(elf.needed.begin(), elf.needed.end(), [&](const std::string& name) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return name.starts_with(prefix); });
  });
}

}  // namespace

Status CheckLibc(Libc libc, const ElfFile& elf, const std::string& library) {
  // musl answers to the name libc.so.6, but has neither glibc's loader nor its C++ library.
  const bool glibc_only = NeedsPrefix(elf, {"ld-linux", "libstdc++.so", "libgcc_s.so"});
  const bool musl_only = NeedsPrefix(elf, {"libc.musl-", "ld-musl-"}) ||
                         std::find(elf.needed.begin(), elf.needed.end(), "libc.so") != elf.needed.end();
  const bool wrong = (libc == Libc::kMusl && glibc_only) || (libc == Libc::kGlibc && musl_only);
  if (!wrong) return {};
  return Fail(
      ErrorKind::kFailed, "library.wrong_libc",
      library + " is built for " + (glibc_only ? "glibc" : "musl") + ", and the target runs on " + LibcName(libc) + ".",
      "Use the packaged collector library, which runs on both.");
}

Result<std::string> LocateLibrary(const Machine& machine, const std::string& wanted) {
  std::vector<std::string> places = {wanted};
  if (wanted.empty()) {
    const std::string& folder = machine.program_folder;
    places = {folder + "/" + kLibraryName, folder + "/../lib/cairn/" + kLibraryName,
              folder + "/../lib/" + kLibraryName};
  }
  std::error_code ignored;
  for (const std::string& place : places)
    if (std::filesystem::exists(place, ignored)) return place;
  return Fail(ErrorKind::kFailed, "library.missing", "There is no collector library: " + places.front() + ".",
              "Install " + std::string(kLibraryName) + " beside the cairn program, or name it with --library.");
}

Status CheckLibrary(const Machine& machine, const Target& target, const std::string& library) {
  const auto elf = ReadElf(library);
  if (!elf) {
    const bool unreadable = elf.error().code == "elf.unreadable";
    return Fail(ErrorKind::kFailed, unreadable ? "library.unreadable" : "library.not_elf",
                "The collector library cannot be used: " + elf.error().message,
                unreadable ? "Make it readable." : "Install it anew.");
  }
  if (elf->type != ET_DYN)
    return Fail(ErrorKind::kFailed, "library.not_elf", library + " is an ELF file, but no shared library.",
                "Install it anew.");
  const uint16_t machine_of_target = MachineOf(machine, target);
  if (machine_of_target != 0 && machine_of_target != elf->machine)
    return Fail(ErrorKind::kFailed, "library.wrong_architecture",
                library + " is for " + ArchitectureName(elf->machine) + ", and the target runs as " +
                    ArchitectureName(machine_of_target) + ".",
                "Install the collector library for " + ArchitectureName(machine_of_target) + ".");
  return CheckLibc(LibcOf(target), *elf, library);
}

std::string PlacementFolderName(uid_t uid) { return "cairn-" + std::to_string(uid); }

std::string PlacedName(const std::string& content) {
  char digits[kHashDigits + 1];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(content.data(), content.size())));
  return std::string(kPlacedPrefix) + digits + std::string(kPlacedSuffix);
}

bool IsPlacedName(const std::string& name) {
  if (name.size() != kPlacedPrefix.size() + kHashDigits + kPlacedSuffix.size()) return false;
  if (!name.starts_with(kPlacedPrefix) || !name.ends_with(kPlacedSuffix)) return false;
  return name.substr(kPlacedPrefix.size(), kHashDigits).find_first_not_of("0123456789abcdef") == std::string::npos;
}

Result<UniqueFd> OpenPlacementFolder(const Machine& machine, int folder_fd, const std::string& path, bool create) {
  const std::string name = PlacementFolderName(machine.uid);
  const bool made = create && mkdirat(folder_fd, name.c_str(), 0755) == 0;
  if (create && !made && errno != EEXIST) return Unwritable(path, errno);
  UniqueFd fd(openat(folder_fd, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd && !create && errno == ENOENT) return UniqueFd();
  if (!fd && (errno == ELOOP || errno == ENOTDIR)) return Unsafe(path, "is no folder");
  if (!fd) return Unwritable(path, errno);
  if (made) fchmod(fd.Get(), 0755);  // whatever the umask: the target's user has to reach it
  struct stat info {};
  if (fstat(fd.Get(), &info) != 0) return Unwritable(path, errno);
  if (const auto why = WhyUnsafe(machine, info, true); !why.empty()) return Unsafe(path, why);
  return fd;
}

Result<PlacedLibrary> PlaceLibrary(const Machine& machine, const Target& target, const std::string& library) {
  const auto content = ReadFile(library, kWhole);
  if (!content)
    return Fail(ErrorKind::kFailed, "library.unreadable", library + " cannot be read: " + ErrnoText(errno) + ".",
                "Make it readable.");
  return InFirstThatWill<PlacedLibrary>(
      machine, target, [&](const TargetFolder& folder) { return PlaceBelow(machine, folder, *content); });
}

Result<std::string> FindPlacement(const Machine& machine, const Target& target) {
  return InFirstThatWill<std::string>(machine, target,
                                      [&](const TargetFolder& folder) { return LookBelow(machine, folder); });
}

}  // namespace cairn::client
