#include "snapshot-format/file/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <memory>
#include <string_view>
#include <vector>

#include "snapshot-format/file/system_file.h"

namespace cairn::snapshot {
namespace {

constexpr std::string_view kPartial = ".partial";
constexpr size_t kMaxNamePart = 64;

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

// Calls visit(folder, name) for every entry until it returns false.
template <class Visit>
void ForEachName(const std::string& path, Visit visit) {
  const std::unique_ptr<DIR, CloseFolder> folder(opendir(path.c_str()));
  if (!folder) return;
  while (const dirent* entry = readdir(folder.get()))
    if (!visit(dirfd(folder.get()), std::string(entry->d_name))) return;
}

bool MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return true;
  const size_t slash = path.rfind('/');
  if (errno != ENOENT || slash == std::string::npos || slash == 0) return false;
  return MakeFolder(path.substr(0, slash)) && (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST);
}

// Left by a writer that was killed; one that lives holds the lock.
bool IsAbandoned(int folder, const std::string& name) {
  if (!name.ends_with(kPartial)) return false;
  const FileDescriptor file(openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return file.Valid() && flock(file.Get(), LOCK_EX | LOCK_NB) == 0;
}

struct KeptFile {
  std::string name;
  uint64_t bytes = 0;
  timespec used{};
};

}  // namespace

std::string CacheNamePart(const std::string& id) {
  std::string name = id.substr(0, kMaxNamePart);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

bool CacheFolder::Create() const {
  if (path_.empty() || !MakeFolder(path_)) return false;
  struct stat info {};
  if (stat(path_.c_str(), &info) != 0) return false;
  return S_ISDIR(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & 022) == 0;
}

bool CacheFolder::HasPrefix(const std::string& prefix) const {
  bool found = false;
  ForEachName(path_, [&](int, const std::string& name) {
    found = name.starts_with(prefix) && !name.ends_with(kPartial);
    return !found;
  });
  return found;
}

bool CacheFolder::MakeRoom(uint64_t bytes, uint64_t max_bytes) const {
  if (bytes > max_bytes) return false;
  std::vector<KeptFile> kept;
  uint64_t total = 0;
  ForEachName(path_, [&](int folder, const std::string& name) {
    struct stat info {};
    if (fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)) return true;
    if (IsAbandoned(folder, name)) {
      unlinkat(folder, name.c_str(), 0);
    } else if (!name.ends_with(kPartial)) {
      kept.push_back({name, static_cast<uint64_t>(info.st_size), info.st_mtim});
      total += kept.back().bytes;
    }
    return true;
  });
  std::sort(kept.begin(), kept.end(), [](const KeptFile& a, const KeptFile& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const KeptFile& file : kept) {
    if (total + bytes <= max_bytes) break;
    if (unlink((path_ + "/" + file.name).c_str()) == 0 || errno == ENOENT) total -= file.bytes;
  }
  struct statvfs disk {};
  if (total + bytes > max_bytes || statvfs(path_.c_str(), &disk) != 0) return false;
  return static_cast<uint64_t>(disk.f_bavail) * disk.f_frsize / 2 >= bytes;
}

}  // namespace cairn::snapshot
