#pragma once
// Files that a command writes beside its result.

#include <string>
#include <string_view>

#include "snapshot-format/file/result.h"

namespace cairn::cli {

// Under a temporary name first, so that nobody reads half of it; replaces a file that is there, or the one to which a
// link leads. A device or a pipe is written to.
// Error output.not_written.
Status WriteWholeFile(const std::string& path, std::string_view content);

}  // namespace cairn::cli
