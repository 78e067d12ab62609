#pragma once
// A folder as a target sees it, opened from outside: through the target's root, whatever its mount
// namespace, with the target's symbolic links resolved inside that root.

#include <string>

#include "collector/client/machine.h"
#include "collector/client/posix.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

struct TargetFolder {
  UniqueFd fd;
  std::string path;  // as the target sees it, no slash at the end
};

// Errors: target.no_folder; target.folder, with the reason.
Result<TargetFolder> OpenTargetFolder(const Machine& machine, int64_t pid, const std::string& path);

}  // namespace cairn::client
