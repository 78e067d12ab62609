#pragma once
// Where a command puts snapshots: a folder that the user named, or a temporary one.

#include <string>

#include "snapshot-format/file/result.h"

namespace cairn::cli {

// Removes a temporary folder with all that is in it, unless it is to be kept.
class SnapshotFolder {
 public:
  // `path` may not exist yet; empty: a temporary folder. Error output.no_folder.
  static Result<SnapshotFolder> Make(const std::string& path);
  ~SnapshotFolder();
  SnapshotFolder(SnapshotFolder&& other) noexcept;
  SnapshotFolder& operator=(SnapshotFolder&&) = delete;

  const std::string& Path() const { return path_; }
  bool IsTemporary() const { return temporary_; }
  void Keep() { temporary_ = false; }

 private:
  SnapshotFolder(std::string path, bool temporary) : path_(std::move(path)), temporary_(temporary) {}

  std::string path_;
  bool temporary_;
};

}  // namespace cairn::cli
