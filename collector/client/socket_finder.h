#pragma once
// Finds a runtime's diagnostics sockets by name. The number after the pid is never computed: in a time
// namespace it differs from what /proc says; it only orders the finds.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::client {

// Is `name`, in a folder whose path has `folder_length` characters, the socket of `inner_pid`? The runtime
// cuts the whole path at 107 characters, so in a deep folder the end of the name is missing.
bool IsDiagnosticsName(const std::string& name, int64_t inner_pid, size_t folder_length);

// Names of the sockets of `inner_pid` in an opened folder, the likeliest first: the one whose number is
// `start_time`, then the newest.
std::vector<std::string> FindDiagnosticsSockets(int folder_fd, size_t folder_length, int64_t inner_pid,
                                                uint64_t start_time);

// Names of all entries of an opened folder.
std::vector<std::string> FolderEntries(int folder_fd);

}  // namespace cairn::client
