#pragma once
// Looks at the first 100 bytes of a file before SQLite does, so that each way of not being a snapshot
// gets its own sentence. Private to snapshot-format/file.

#include <cstdint>
#include <string>

#include "snapshot-format/file/limits.h"
#include "snapshot-format/file/result.h"

namespace cairn::snapshot {

// Checks existence, kind, length, magic, application, version and page count. Returns the file's bytes.
Result<uint64_t> CheckFileHeader(const std::string& path, const Limits& limits);

// How many bytes the file has behind the pages that its header counts: 0 in every file that was only ever written here.
Result<uint64_t> BytesBehindPages(const std::string& path);

Error Damaged(const std::string& path, const std::string& what);
Error NewerVersion(const std::string& path, const std::string& found, const std::string& understood);

}  // namespace cairn::snapshot
