#include "viewer/cli/file_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

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

int TryReplace(const std::string& path, std::string_view content) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  int reason = TryWrite(temporary, content);
  if (reason == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) unlink(temporary.c_str());
  return reason;
}

// Devices and pipes.
bool IsSpecial(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

// Where a link leads.
std::string Followed(const std::string& path) {
  std::error_code missing;
  const std::filesystem::path target = std::filesystem::canonical(path, missing);
  return missing ? path : target.string();
}

}  // namespace

Status WriteWholeFile(const std::string& path, std::string_view content) {
  const int reason = IsSpecial(path) ? TryWrite(path, content) : TryReplace(Followed(path), content);
  if (reason == 0) return {};
  return Fail(ErrorKind::kFailed, "output.not_written", fmt::format("{} cannot be written: {}", path, strerror(reason)),
              "Name a file in a folder that exists and may be written to.");
}

}  // namespace cairn::cli
