#pragma once
// The whole activation chain, probe by probe: each is one function that looks at one link.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::client {

struct Probe {
  std::string name;  // "socket", "user", "library" …
  bool ok = false;
  std::string detail;                 // one sentence: what was found
  std::optional<std::string> remedy;  // one sentence: what to do; where not ok, or where not all captures are possible
};

// Probes of an attach to `pid`, in the order of the chain; stops only where there is no runtime, so that all
// is said.
// Attaches nothing and changes nothing in the target.
std::vector<Probe> Diagnose(int64_t pid);

// Probes of start-up activation for a command that would be run with these variables ("NAME=value").
std::vector<Probe> DiagnoseEnvironment(const std::vector<std::string>& environment,
                                       const std::vector<std::string>& command);

}  // namespace cairn::client
