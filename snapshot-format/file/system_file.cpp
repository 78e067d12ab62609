#include "snapshot-format/file/system_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace cairn::snapshot {
namespace {

constexpr int kCreateAttempts = 16;

Error Exists(const std::string& path) {
  return {ErrorKind::kUsage, "output.exists", path + " exists already",
          "Choose another name, or add --force to replace it."};
}

// True when `path` still names the file behind `file`.
bool IsStillThere(const FileDescriptor& file, const std::string& path) {
  struct stat opened = {}, named = {};
  return fstat(file.Get(), &opened) == 0 && lstat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

// False: another process holds it. File systems without locks count as locked: O_EXCL still holds there.
bool Lock(const FileDescriptor& file) { return flock(file.Get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

// Removes the .partial of a writer that is gone; fails where its writer lives.
Status RemoveStale(const std::string& path) {
  const FileDescriptor stale(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!stale.Valid()) {
    if (errno == ENOENT) return {};
    return tl::make_unexpected(SystemError("output.unwritable", path, "opening what an earlier capture left"));
  }
  if (!Lock(stale)) {
    return Fail(ErrorKind::kFailed, "output.unwritable", path + " is being written by another cairn",
                "Wait for it, or choose another name with --output.");
  }
  if (IsStillThere(stale, path) && unlink(path.c_str()) != 0 && errno != ENOENT) {
    return tl::make_unexpected(SystemError("output.unwritable", path, "removing what an earlier capture left"));
  }
  return {};
}

bool IsPartial(const std::filesystem::path& path) { return path.string().ends_with(".cairn.partial"); }

// Removes one .partial if its writer is gone for sure: a file of ours, which can be locked.
void RemoveIfDead(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status = {};
  if (!file.Valid() || fstat(file.Get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (status.st_uid != geteuid() || flock(file.Get(), LOCK_EX | LOCK_NB) != 0) return;
  if (IsStillThere(file, path)) unlink(path.c_str());
}

// A rename that never replaces; where the file system cannot, a link, which never replaces either.
int RenameOrLink(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (link(from.c_str(), to.c_str()) != 0) return -1;
  return unlink(from.c_str());
}

Status SyncFolder(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  const FileDescriptor file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Not every folder may be read, nor can every file system sync one; the file itself is synced.
  if (!file.Valid() || fsync(file.Get()) == 0) return {};
  const bool is_lost = errno == EIO || errno == ENOSPC || errno == EDQUOT;
  return is_lost ? tl::make_unexpected(SystemError("output.unwritable", folder, "syncing the folder")) : Status();
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::optional<Error> Exhausted(int number, const std::string& path, const std::string& what) {
  const std::string sentence = path + ": " + what + " failed: ";
  if (number == EMFILE || number == ENFILE)
    return Error{ErrorKind::kFailed, "system.descriptors", sentence + "too many files are open",
                 number == EMFILE ? "Raise the limit of open files: ulimit -n." : "The whole system has no more."};
  if (number == ENOMEM)
    return Error{ErrorKind::kFailed, "memory.exhausted", sentence + "there is not enough memory",
                 "Free some memory, or raise the limit: ulimit -v."};
  return std::nullopt;
}

Error SystemError(const std::string& code, const std::string& path, const std::string& what) {
  const int number = errno;
  if (auto exhausted = Exhausted(number, path, what)) return *exhausted;
  if (number == ENOSPC || number == EDQUOT || number == EFBIG) {
    return {ErrorKind::kFailed, "output.full", "no space left for " + path + " while " + what,
            "Free some space or choose another folder with --output."};
  }
  return {ErrorKind::kFailed, code, path + ": " + what + " failed: " + std::strerror(number),
          "Check the folder and its permissions."};
}

Status CheckAbsent(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) == 0) return tl::make_unexpected(Exists(path));
  if (errno == ENOENT) return {};
  return tl::make_unexpected(SystemError("output.unwritable", path, "looking for it"));
}

Status CheckReplaceable(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)) return {};
  return Fail(ErrorKind::kFailed, "output.unwritable", path + " is no file and will not be replaced",
              "Choose another name with --output.");
}

Result<PartialFile> PartialFile::Create(const std::string& final_path) {
  for (int attempt = 0; attempt < kCreateAttempts; ++attempt) {
    PartialFile partial(final_path, final_path + ".partial");
    const Result<bool> created = partial.TryCreate();
    if (created && *created) return partial;
    const std::string path = std::exchange(partial.path_, {});  // not ours to remove
    if (!created) return tl::make_unexpected(created.error());
    CAIRN_TRY(RemoveStale(path));
  }
  return Fail(ErrorKind::kFailed, "output.unwritable", final_path + ".partial keeps being created by another program",
              "Choose another name with --output.");
}

void RemoveDeadPartials(const std::string& final_path) {
  std::filesystem::path folder = std::filesystem::path(final_path).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code error;  // a folder that cannot be listed keeps what it has
  auto at = std::filesystem::directory_iterator(folder, error);
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error))
    if (IsPartial(at->path()) && at->path() != std::filesystem::path(final_path + ".partial"))
      RemoveIfDead(at->path().string());
}

Result<bool> PartialFile::TryCreate() {
  file_ = FileDescriptor(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file_.Valid()) {
    if (errno == EEXIST) return false;
    return tl::make_unexpected(SystemError("output.unwritable", path_, "creating it"));
  }
  // Another writer may take our new file for a leftover before it is locked: then it is his.
  return Lock(file_) && IsStillThere(file_, path_);
}

PartialFile::~PartialFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

Result<uint64_t> PartialFile::Publish(bool overwrite) {
  if (fsync(file_.Get()) != 0) return tl::make_unexpected(SystemError("output.unwritable", path_, "syncing it"));
  struct stat status = {};
  if (fstat(file_.Get(), &status) != 0)
    return tl::make_unexpected(SystemError("output.unwritable", path_, "measuring it"));
  CAIRN_TRY(GiveName(overwrite));
  path_ = final_path_;  // to be removed where the folder does not keep it: what failed leaves nothing
  CAIRN_TRY(SyncFolder(final_path_));
  path_.clear();
  return static_cast<uint64_t>(status.st_size);
}

Status PartialFile::GiveName(bool overwrite) {
  const int done = overwrite ? rename(path_.c_str(), final_path_.c_str()) : RenameOrLink(path_, final_path_);
  if (done == 0) return {};
  if (errno == EEXIST) return tl::make_unexpected(Exists(final_path_));
  return tl::make_unexpected(SystemError("output.unwritable", final_path_, "giving the finished snapshot its name"));
}

}  // namespace cairn::snapshot
