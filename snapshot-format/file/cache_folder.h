#pragma once
// The folder of the side cache: names, and room. Private to snapshot-format/file.
// Thread rule: from any thread and any process; what another one removes meanwhile is gone, and that is all.

#include <cstdint>
#include <string>

namespace cairn::snapshot {

// Letters and digits of an id, all else replaced: a snapshot may call itself anything.
std::string CacheNamePart(const std::string& id);

class CacheFolder {
 public:
  explicit CacheFolder(std::string path) : path_(std::move(path)) {}

  // Makes it and what it lies in. False where that fails, or where others could write to it.
  bool Create() const;
  bool HasPrefix(const std::string& prefix) const;
  // Removes the files used longest ago until `bytes` more fit into `max_bytes`. False where they do not fit anyway,
  // or the disk has less than twice as much room.
  bool MakeRoom(uint64_t bytes, uint64_t max_bytes) const;

 private:
  std::string path_;
};

}  // namespace cairn::snapshot
