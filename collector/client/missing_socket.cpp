#include "collector/client/missing_socket.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

namespace cairn::client {
namespace {

// The runtime's names, "dotnet-diagnostic-4194304-99999999-socket", are cut where a path gets longer than a socket's
// may be, and from here on too little is left of one.
constexpr size_t kLongestFolder = 88;
constexpr size_t kLongestSocketPath = 107;

bool MayWrite(const struct stat& folder, const ProcStatus& process) {
  if (process.uid == 0) return true;
  if (folder.st_uid == process.uid) return folder.st_mode & S_IWUSR;
  if (folder.st_gid == process.gid && (folder.st_mode & S_IWGRP)) return true;
  return folder.st_mode & S_IWOTH;
}

Error Because(const Target& target, const std::string& reason, std::string remedy) {
  return {ErrorKind::kFailed, "target.no_socket",
          "Process " + std::to_string(target.pid) + " has no diagnostics socket: " + reason + ".", std::move(remedy)};
}

Error WithoutFolder(const Target& target) {
  const std::string& path = target.tmp.path;
  if (target.tmp_missing)
    return Because(target, "there is no folder " + path, "Start it with TMPDIR set to a folder that it may write to.");
  return {
      ErrorKind::kFailed, "target.no_socket",
      "Process " + std::to_string(target.pid) + " keeps its socket in " + path + ", which cannot be opened from here.",
      "Run cairn as the target's user or as root, in a container with the host's processes in sight."};
}

}  // namespace

Error WhyNoSocket(const Target& target) {
  const TargetFolder& tmp = target.tmp;
  if (!tmp.fd) return WithoutFolder(target);
  struct statvfs mount {};
  if (fstatvfs(tmp.fd.Get(), &mount) == 0 && (mount.f_flag & ST_RDONLY))
    return Because(target, tmp.path + " is mounted read-only", "Give it a folder to write to, at /tmp or by TMPDIR.");
  if (tmp.path.size() > kLongestFolder)
    return Because(target,
                   "the path of its temporary folder has " + std::to_string(tmp.path.size()) +
                       " characters, and that of a socket may have " + std::to_string(kLongestSocketPath),
                   "Start it with a TMPDIR of at most " + std::to_string(kLongestFolder) + " characters.");
  struct stat folder {};
  if (fstat(tmp.fd.Get(), &folder) == 0 && !MayWrite(folder, target.status))
    return Because(target, UserName(target.status.uid) + " may not write to " + tmp.path,
                   "Give it a folder to write to, at /tmp or by TMPDIR.");
  return Because(target, "it is gone from " + tmp.path + ", or TMPDIR was another one at the start",
                 "Start the process anew, and keep what cleans that folder from dotnet-diagnostic-*.");
}

}  // namespace cairn::client
