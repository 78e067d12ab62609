#include "snapshot-format/file/side_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "snapshot-format/file/cache_file.h"
#include "snapshot-format/file/cache_folder.h"
#include "snapshot-format/file/content_digest.h"
#include "snapshot-format/file/system_file.h"

namespace cairn::snapshot {
namespace {

// A file mapped for reading.
class Mapping {
 public:
  static std::optional<Mapping> Of(const FileDescriptor& file, uint64_t bytes) {
    void* data = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.Get(), 0);
    if (data == MAP_FAILED) return std::nullopt;
    return Mapping(data, bytes);
  }
  Mapping(Mapping&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping() {
    if (data_) munmap(data_, bytes_);
  }
  const uint8_t* Data() const { return static_cast<const uint8_t*>(data_); }
  size_t Size() const { return bytes_; }

 private:
  Mapping(void* data, size_t bytes) : data_(data), bytes_(bytes) {}
  void* data_;
  size_t bytes_;
};

class MappedResult : public KeptResult {
 public:
  MappedResult(Mapping mapping, std::vector<Bytes> arrays) : mapping_(std::move(mapping)), arrays_(std::move(arrays)) {}
  const std::vector<Bytes>& Arrays() const override { return arrays_; }

 private:
  Mapping mapping_;
  std::vector<Bytes> arrays_;
};

tl::unexpected<Error> Missing(const std::string& path) { return Fail(ErrorKind::kFailed, "cache.missing", path); }

tl::unexpected<Error> Ignored(const std::string& path, const std::string& what) {
  return Fail(ErrorKind::kFailed, "cache.damaged", path + " " + what);
}

tl::unexpected<Error> Unusable(const std::string& path, const std::string& what) {
  return Fail(ErrorKind::kFailed, "cache.unusable", path + " " + what);
}

bool IsOursAlone(const struct stat& info) { return info.st_uid == geteuid() && (info.st_mode & 022) == 0; }

// Takes the pages of a block in one go; where the kernel cannot, they come one by one.
void Populate([[maybe_unused]] const uint8_t* data, [[maybe_unused]] size_t size) {
#ifdef MADV_POPULATE_READ
  madvise(const_cast<uint8_t*>(data), size, MADV_POPULATE_READ);
#endif
}

std::array<uint8_t, 16> DigestOf(Bytes bytes, unsigned threads) {
  BlockDigests digests(bytes.size());
  OnThreads(digests.Count(), threads, [&](size_t i) {
    const uint8_t* block = bytes.data() + i * kDigestBlock;
    Populate(block, digests.SizeOf(i));
    digests.Set(i, block);
  });
  return digests.Whole();
}

FileIdentity IdentityOf(const struct stat& info) {
  const auto nanoseconds = [](const timespec& time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; };
  return {info.st_dev, info.st_ino, static_cast<uint64_t>(info.st_size), nanoseconds(info.st_mtim),
          nanoseconds(info.st_ctim)};
}

}  // namespace

std::optional<FileIdentity> IdentityOf(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return IdentityOf(info);
}

Result<ContentKey> ContentKeyOf(const std::string& path, const std::string& id, const FileIdentity& opened,
                                unsigned threads) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!file.Valid() || fstat(file.Get(), &info) != 0)
    return tl::make_unexpected(SystemError("snapshot.unreadable", path, "reading it"));
  if (IdentityOf(info) != opened)
    return Fail(ErrorKind::kFailed, "snapshot.unreadable", path + " is no longer the file that was opened");
  // Not mapped: a snapshot that shrinks meanwhile must not end the process.
  BlockDigests digests(static_cast<uint64_t>(info.st_size));
  std::atomic<bool> failed{false};
  OnThreads(digests.Count(), threads, [&](size_t i) {
    if (!digests.SetFrom(file.Get(), i)) failed = true;
  });
  if (failed) return Fail(ErrorKind::kFailed, "snapshot.unreadable", path + " could not be read to its end");
  return ContentKey{id, digests.Whole()};
}

std::string SideCache::UserFolder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  // By the specification, a path that is not absolute is to be ignored.
  if (cache && *cache == '/') return std::string(cache) + "/cairn/results";
  if (home && *home == '/') return std::string(home) + "/.cache/cairn/results";
  return {};
}

bool SideCache::MayHave(const std::string& snapshot_id) const {
  return CacheFolder(options_.folder).HasPrefix(CacheNamePart(snapshot_id) + "-");
}

std::string SideCache::PathOf(const ContentKey& key, const ResultName& name) const {
  return options_.folder + "/" + CacheNamePart(key.id) + "-" + HexText(key.digest) + "." + name.name + "-" +
         std::to_string(name.version);
}

Result<std::shared_ptr<const KeptResult>> SideCache::Load(const ContentKey& key, const ResultName& name,
                                                          unsigned threads) const {
  const std::string path = PathOf(key, name);
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.Valid()) return Missing(path);
  struct stat info {};
  if (fstat(file.Get(), &info) != 0 || !S_ISREG(info.st_mode)) return Ignored(path, "is no file");
  if (!IsOursAlone(info)) return Ignored(path, "may have been written by others");
  const auto bytes = static_cast<uint64_t>(info.st_size);
  if (bytes < kCacheHeaderBytes) return Ignored(path, "is cut");
  auto mapping = Mapping::Of(file, bytes);
  if (!mapping) return Unusable(path, "cannot be mapped");
  CacheHeader header;
  if (const std::string wrong = ReadCacheHeader({mapping->Data(), kCacheHeaderBytes}, bytes, header); !wrong.empty())
    return Ignored(path, wrong);
  if (header.algorithm != name.version || header.snapshot != key.digest) return Ignored(path, "is of something else");
  std::vector<Bytes> arrays;
  for (const CacheArray& array : header.arrays) {
    const Bytes data(mapping->Data() + array.offset, array.bytes);
    if (DigestOf(data, threads) != array.digest) return Ignored(path, "has a digest that does not match");
    arrays.push_back(data);
  }
  futimens(file.Get(), nullptr);  // used just now; on a read-only disk that is not kept
  return std::make_shared<const MappedResult>(std::move(*mapping), std::move(arrays));
}

Status SideCache::Store(const ContentKey& key, const ResultName& name, std::span<const Bytes> arrays,
                        const std::atomic<bool>& stop) const {
  const CacheFolder folder(options_.folder);
  if (!folder.Create()) return Unusable(options_.folder, "is no folder that only this user can write to");
  CacheHeader header = PlanCacheFile(key.digest, name.version, arrays);
  if (header.arrays.size() > kMaxCacheArrays) return Unusable(options_.folder, "takes no so many arrays");
  const std::string path = PathOf(key, name);
  if (!folder.MakeRoom(header.file_bytes, options_.max_bytes))
    return Fail(ErrorKind::kFailed, "cache.full", "there is no room for " + path);
  auto partial = PartialFile::Create(path);
  if (!partial) return Unusable(path, "cannot be written: " + partial.error().message);
  CAIRN_TRY(WriteCacheFile(partial->Path(), header, arrays, stop));
  // Not synced: a file that a power cut tore does not match its digests, and nobody waits for a gigabyte to be written.
  const Status published = partial->PublishUnsynced();
  if (!published) return Unusable(path, "cannot be written: " + published.error().message);
  return {};
}

}  // namespace cairn::snapshot
