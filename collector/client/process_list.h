#pragma once
// The .NET processes of this machine, found by their diagnostics sockets and /proc.
// Thread rule: free functions, safe from any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"

namespace cairn::client {

struct ProcessInfo {
  int64_t pid = 0;   // as this process sees it
  std::string name;  // entry assembly where known, else the executable's name
  std::string user;
  std::string runtime;  // "10.0.12"; empty where it could not be asked
  uint64_t rss_bytes = 0;
  bool attachable = false;
  std::optional<std::string> reason;  // why not, or with what it can be
  std::string command_line;
  std::string architecture;  // "x64"
};

// Never blocks on a stuck target for longer than a second each.
Result<std::vector<ProcessInfo>> ListProcesses();

// How the user named a process.
struct TargetName {
  std::optional<int64_t> pid;
  std::string name;             // -n
  std::string diagnostic_port;  // --diagnostic-port: a socket path
};

// The one process meant. Errors: target.ambiguous (usage, lists the matches), target.missing (failed).
Result<int64_t> ResolveTarget(const TargetName& target);

}  // namespace cairn::client
