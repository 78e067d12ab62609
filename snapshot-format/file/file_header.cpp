#include "snapshot-format/file/file_header.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "snapshot-format/file/schema.h"
#include "snapshot-format/file/system_file.h"

namespace cairn::snapshot {
namespace {

// https://www.sqlite.org/fileformat.html, "The Database Header": big-endian fields.
constexpr size_t kHeaderBytes = 100;
constexpr char kMagic[16] = {'S', 'Q', 'L', 'i', 't', 'e', ' ', 'f', 'o', 'r', 'm', 'a', 't', ' ', '3', '\0'};
// What was written before the format was settled.
constexpr uint32_t kDraftVersion = 0;
constexpr size_t kPageSizeAt = 16, kPageCountAt = 28, kUserVersionAt = 60, kApplicationIdAt = 68;

uint32_t BigEndian(const uint8_t* p) {
  return uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 | uint32_t{p[3]};
}

Error NotCairn(const std::string& path, const std::string& what) {
  return {ErrorKind::kDamaged, "snapshot.not_cairn", path + " is not a Cairn snapshot: " + what,
          "Give a .cairn file that `cairn capture` wrote; other formats are read by `cairn import`."};
}

Error Draft(const std::string& path) {
  return {ErrorKind::kDamaged, "snapshot.draft",
          path + " has format version 0, a draft that no released cairn reads",
          "Read it with the program that wrote it, or capture anew."};
}

Result<uint64_t> SizeOf(const FileDescriptor& file, const std::string& path, const Limits& limits) {
  struct stat status = {};
  if (fstat(file.Get(), &status) != 0)
    return tl::make_unexpected(SystemError("snapshot.missing", path, "looking at it"));
  if (!S_ISREG(status.st_mode)) return tl::make_unexpected(NotCairn(path, "it is no regular file"));
  if (status.st_size == 0) return tl::make_unexpected(NotCairn(path, "it is empty"));
  const auto bytes = static_cast<uint64_t>(status.st_size);
  if (bytes > limits.max_file_bytes) {
    return tl::make_unexpected(Damaged(path, "its " + std::to_string(bytes) + " bytes are more than any snapshot has"));
  }
  return bytes;
}

uint64_t BytesOfPages(const uint8_t* header) { return uint64_t{BigEndian(header + kPageCountAt)} * kPageBytes; }

Status CheckHeaderBytes(const uint8_t* header, uint64_t file_bytes, const std::string& path) {
  if (BigEndian(header + kApplicationIdAt) != kApplicationId) {
    return tl::make_unexpected(NotCairn(path, "it is an SQLite database of another program"));
  }
  const uint32_t version = BigEndian(header + kUserVersionAt);
  if (version == kDraftVersion) return tl::make_unexpected(Draft(path));
  if (version > kFormatVersion) {
    return tl::make_unexpected(
        NewerVersion(path, "format version " + std::to_string(version), "version " + std::to_string(kFormatVersion)));
  }
  // A page size of 65536 does not fit 16 bits and is stored as 1.
  if (header[kPageSizeAt] != 0 || header[kPageSizeAt + 1] != 1) {
    return tl::make_unexpected(Damaged(path, "its header names another page size than 65536"));
  }
  const uint64_t expected = BytesOfPages(header);
  if (file_bytes < expected) {
    return tl::make_unexpected(Damaged(
        path, "it was cut: " + std::to_string(file_bytes) + " of " + std::to_string(expected) + " bytes are there"));
  }
  return {};
}

}  // namespace

Error Damaged(const std::string& path, const std::string& what) {
  return {ErrorKind::kDamaged, "snapshot.damaged", path + " is damaged: " + what,
          "Copy the file again from where it was written, or capture anew."};
}

Error NewerVersion(const std::string& path, const std::string& found, const std::string& understood) {
  return {ErrorKind::kDamaged, "snapshot.newer_version",
          path + " has " + found + ", and this cairn reads " + understood,
          "Read it with the version of cairn that wrote it, or capture anew."};
}

Result<uint64_t> BytesBehindPages(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  uint8_t header[kHeaderBytes] = {};
  struct stat status = {};
  if (!file.Valid() || fstat(file.Get(), &status) != 0 || pread(file.Get(), header, sizeof header, 0) < 0)
    return tl::make_unexpected(SystemError("snapshot.unreadable", path, "reading its header"));
  const auto bytes = static_cast<uint64_t>(status.st_size);
  return bytes - std::min(bytes, BytesOfPages(header));
}

Result<uint64_t> CheckFileHeader(const std::string& path, const Limits& limits) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.Valid()) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return Fail(ErrorKind::kFailed, "snapshot.missing", "there is no file " + path, "Check the name and the folder.");
    }
    return tl::make_unexpected(SystemError("snapshot.unreadable", path, "opening it"));
  }
  const Result<uint64_t> bytes = SizeOf(file, path, limits);
  if (!bytes) return bytes;
  uint8_t header[kHeaderBytes] = {};
  const ssize_t got = pread(file.Get(), header, sizeof header, 0);
  if (got < 0) return tl::make_unexpected(SystemError("snapshot.unreadable", path, "reading it"));
  const size_t compared = std::min<size_t>(static_cast<size_t>(got), sizeof kMagic);
  if (std::memcmp(header, kMagic, compared) != 0)
    return tl::make_unexpected(NotCairn(path, "it is no SQLite database"));
  if (static_cast<size_t>(got) < sizeof header)
    return tl::make_unexpected(Damaged(path, "it was cut within its header"));
  if (Status status = CheckHeaderBytes(header, *bytes, path); !status) return tl::make_unexpected(status.error());
  return bytes;
}

}  // namespace cairn::snapshot
