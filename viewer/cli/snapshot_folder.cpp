#include "viewer/cli/snapshot_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace cairn::cli {

Result<SnapshotFolder> SnapshotFolder::Make(const std::string& path) {
  std::error_code error;
  if (!path.empty()) {
    std::filesystem::create_directories(path, error);
    if (!error) return SnapshotFolder(path, false);
    return Fail(ErrorKind::kFailed, "output.no_folder", fmt::format("{} cannot be made: {}", path, error.message()),
                "Name another folder with -o.");
  }
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string made = ((error ? std::filesystem::path("/tmp") : parent) / "cairn-grow-XXXXXX").string();
  if (mkdtemp(made.data()) != nullptr) return SnapshotFolder(made, true);
  return Fail(ErrorKind::kFailed, "output.no_folder", fmt::format("{} cannot be made: {}", made, strerror(errno)),
              "Name a folder with -o.");
}

SnapshotFolder::SnapshotFolder(SnapshotFolder&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, false)) {}

SnapshotFolder::~SnapshotFolder() {
  std::error_code ignored;
  if (temporary_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace cairn::cli
