#include "viewer/cli/file_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "collector/client/capture_request.h"

namespace cairn::cli {
namespace {

bool WriteAll(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// The reason, or 0.
int TryWrite(const std::string& path, std::string_view content) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  const bool written = WriteAll(file, content);
  const int reason = written ? 0 : errno;
  return close(file) != 0 && reason == 0 ? errno : reason;
}

std::string TemporaryBeside(const std::string& path) { return fmt::format("{}.{}.tmp", path, getpid()); }

int TryReplace(const std::string& path, std::string_view content) {
  const std::string temporary = TemporaryBeside(path);
  int reason = TryWrite(temporary, content);
  if (reason == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) unlink(temporary.c_str());
  return reason;
}

int TryBeside(const std::string& path) {
  const std::string temporary = TemporaryBeside(path);
  const int reason = TryWrite(temporary, {});
  unlink(temporary.c_str());
  return reason;
}

int TrySpecial(const std::string& path) { return access(path.c_str(), W_OK) == 0 ? 0 : errno; }

// Devices and pipes.
bool IsSpecial(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// Where a link leads.
std::string Followed(const std::string& path) {
  std::error_code missing;
  const std::filesystem::path target = std::filesystem::canonical(path, missing);
  return missing ? path : target.string();
}

Status WrittenOr(int reason, const std::string& path) {
  if (reason == 0) return {};
  const bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
  return Fail(ErrorKind::kFailed, full ? "output.full" : "output.unwritable",
              fmt::format("{} cannot be written: {}", path, strerror(reason)),
              full ? "Free some space, or name another place." : "Name another place.");
}

}  // namespace

Status CheckPlace(const std::string& path, bool overwrite) {
  return overwrite && IsSpecial(path) ? Status() : client::CheckOutput(overwrite ? Followed(path) : path, overwrite);
}

Status WriteWholeFile(const std::string& path, std::string_view content) {
  CAIRN_TRY(CheckPlace(path, true));
  return WrittenOr(IsSpecial(path) ? TryWrite(path, content) : TryReplace(Followed(path), content), path);
}

Status CheckWritable(const std::string& path) {
  CAIRN_TRY(CheckPlace(path, true));
  return WrittenOr(IsSpecial(path) ? TrySpecial(path) : TryBeside(Followed(path)), path);
}

Result<int> OpenForLines(const std::string& path, bool overwrite) {
  CAIRN_TRY(CheckPlace(path, overwrite));
  const int follow = IsSpecial(path) ? 0 : O_NOFOLLOW;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | follow | (overwrite ? 0 : O_EXCL), 0600);
  if (file >= 0) return file;
  if (errno == EEXIST)
    return Fail(ErrorKind::kUsage, "output.exists", path + " exists already.", "Pass --force to replace it.");
  if (errno == ELOOP)
    return Fail(ErrorKind::kFailed, "output.unwritable", path + " is a link, which is not followed.",
                "Name the file that it leads to, or another.");
  return Fail(ErrorKind::kFailed, "output.unwritable",
              fmt::format("{} cannot be written to: {}.", path, strerror(errno)), "Name another with --output.");
}

void EmptyBeforeWriting(int file) {
  // Nothing of a device or a pipe can be taken away.
  [[maybe_unused]] const int refused = ftruncate(file, 0);
}

Status ClearForWriting(const std::string& path) {
  CAIRN_TRY(CheckWritable(path));
  if (IsSpecial(path)) return {};
  // A link that led nowhere would be replaced, not followed.
  if (std::filesystem::is_symlink(path)) return WriteWholeFile(path, {});
  unlink(path.c_str());
  return {};
}

}  // namespace cairn::cli
