#pragma once
// Results that were expensive to compute, kept beside a snapshot in a folder of the user's: one immutable file per
// result, mapped by its readers. Any file there may be torn, changed or somebody else's; then it is as if it were
// not there. CACHE.md says how a file is laid out.
// Thread rule: every method from any thread and any process. Ownership: arrays live as long as their KeptResult.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"

namespace cairn::snapshot {

// Names a snapshot by what is in it: two files of one id but other bytes are two snapshots.
struct ContentKey {
  std::string id;  // Capture::id
  std::array<uint8_t, 16> digest{};

  bool operator==(const ContentKey&) const = default;
};

// Which file a path leads to, and in which state.
struct FileIdentity {
  uint64_t device = 0, inode = 0, bytes = 0;
  int64_t modified_ns = 0, changed_ns = 0;

  bool operator==(const FileIdentity&) const = default;
};
// Nothing where there is no file.
std::optional<FileIdentity> IdentityOf(const std::string& path);

// Reads the whole file. Errors: snapshot.unreadable; also when it is no longer the one that `opened` tells of.
// Complexity: at the speed of memory or disk, on `threads` threads.
Result<ContentKey> ContentKeyOf(const std::string& path, const std::string& id, const FileIdentity& opened,
                                unsigned threads);

// What a result is called, and the version of the algorithm that made it.
struct ResultName {
  std::string name;  // a-z and '-'
  uint32_t version = 1;
};

using Bytes = std::span<const uint8_t>;

class KeptResult {
 public:
  virtual ~KeptResult() = default;
  // In the order in which they were stored; each starts at a multiple of 4096 bytes in memory.
  virtual const std::vector<Bytes>& Arrays() const = 0;
};

class SideCache {
 public:
  struct Options {
    std::string folder;
    uint64_t max_bytes = uint64_t{16} << 30;  // all files together; the ones used longest ago go first
  };

  explicit SideCache(Options options) : options_(std::move(options)) {}
  // $XDG_CACHE_HOME/cairn/results or ~/.cache/cairn/results; empty where there is neither.
  static std::string UserFolder();

  // Whether anything of this snapshot is kept, so that its key is worth computing.
  bool MayHave(const std::string& snapshot_id) const;
  // Checked whole. Errors: cache.missing, cache.damaged (also: of another version, not ours), cache.unusable.
  Result<std::shared_ptr<const KeptResult>> Load(const ContentKey& key, const ResultName& name, unsigned threads) const;
  // Errors: cache.unusable (no folder, read-only, another process writes the same), cache.full, cancelled (`stop`).
  Status Store(const ContentKey& key, const ResultName& name, std::span<const Bytes> arrays,
               const std::atomic<bool>& stop) const;

 private:
  std::string PathOf(const ContentKey& key, const ResultName& name) const;

  Options options_;
};

}  // namespace cairn::snapshot
