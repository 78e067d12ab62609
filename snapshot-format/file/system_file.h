#pragma once
// Files of the operating system: a descriptor, errno as an Error, and the temporary file that becomes the
// snapshot. Private to snapshot-format/file.

#include <optional>
#include <string>
#include <utility>

#include "snapshot-format/file/result.h"

namespace cairn::snapshot {

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor();
  int Get() const { return descriptor_; }
  bool Valid() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

// What this process has no more of, where that is why a call failed: system.descriptors or memory.exhausted, kFailed.
std::optional<Error> Exhausted(int number, const std::string& path, const std::string& what);
// An Error (kFailed) of the errno of the call that just failed; `what` says what was tried. A full disk
// becomes output.full, and what Exhausted knows becomes that, whatever `code` says.
Error SystemError(const std::string& code, const std::string& path, const std::string& what);

// FILE.partial: created for us alone, mode 0600, locked while we live, so that the leftover of a writer
// that died is told from the work of one that lives. Removed unless published.
class PartialFile {
 public:
  static Result<PartialFile> Create(const std::string& final_path);
  PartialFile(PartialFile&& other) noexcept
      : final_path_(std::move(other.final_path_)),
        path_(std::exchange(other.path_, {})),
        file_(std::move(other.file_)) {}
  PartialFile& operator=(PartialFile&&) = delete;
  ~PartialFile();

  const std::string& Path() const { return path_; }
  // Syncs the file, gives it its final name, syncs the folder. Without `overwrite` a file that appeared
  // there meanwhile stays as it is (output.exists). Returns the size in bytes.
  Result<uint64_t> Publish(bool overwrite);
  // What it will be called instead.
  void Rename(std::string final_path) { final_path_ = std::move(final_path); }
  // The same without waiting for the disk, for what can be made again and is checked when it is read.
  Status PublishUnsynced() {
    CAIRN_TRY(GiveName(true));
    path_.clear();
    return {};
  }

 private:
  PartialFile(std::string final_path, std::string path) : final_path_(std::move(final_path)), path_(std::move(path)) {}
  Result<bool> TryCreate();  // false: something changed under us, try again
  Status GiveName(bool overwrite);

  std::string final_path_;
  std::string path_;  // empty: nothing to remove
  FileDescriptor file_;
};

// Removes every *.cairn.partial beside `final_path` whose writer died, but for that of `final_path` itself.
void RemoveDeadPartials(const std::string& final_path);

// output.exists where there is something at `path`.
Status CheckAbsent(const std::string& path);
// output.unwritable where there is something that must not be replaced, even when asked to: a folder, a
// device. A rename would replace /dev/null.
Status CheckReplaceable(const std::string& path);

}  // namespace cairn::snapshot
