#pragma once
// Files that a command writes beside its result.

#include <string>
#include <string_view>

#include "snapshot-format/file/result.h"

namespace cairn::cli {

// One rule for every command that writes a file: it is no folder, lies in one that is there and may be written to, and
// is not there already unless it may be replaced. Devices and pipes are written to where something may be replaced.
// Errors: output.exists (usage), output.no_folder, output.unwritable.
Status CheckPlace(const std::string& path, bool overwrite);

// Under a temporary name first, so that nobody reads half of it; replaces a file that is there, or the one to which a
// link leads. A device or a pipe is written to.
// Errors: those of CheckPlace, output.full.
Status WriteWholeFile(const std::string& path, std::string_view content);

// Before long work: whether it can be written to. What is there stays. Errors: the same.
Status CheckWritable(const std::string& path);

// For what is written bit by bit, while somebody may already read it: opened, for its owner only where it is new, and
// what is there stays until EmptyBeforeWriting. A link to a file is not followed: what it leads to would be filled with
// something else for hours. Without `overwrite` nothing may be there.
// Errors: those of CheckPlace.
Result<int> OpenForLines(const std::string& path, bool overwrite);
void EmptyBeforeWriting(int file);

// The same as CheckWritable, and takes away what an earlier run left there, so that nobody takes that for the result of
// this one.
Status ClearForWriting(const std::string& path);

}  // namespace cairn::cli
