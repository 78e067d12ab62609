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

// Before long work: whether it can be written to. What is there stays. Error output.not_written.
Status CheckWritable(const std::string& path);

// The same, and takes away what an earlier run left there, so that nobody takes that for the result of this one.
Status ClearForWriting(const std::string& path);

}  // namespace cairn::cli
