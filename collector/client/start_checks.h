#pragma once
// Why a runtime did not load, or would not load, the collector at its start: one function a link, in the order in which
// the runtime meets them. Each looks at one thing and changes nothing.

#include <optional>
#include <string>
#include <vector>

#include "collector/client/machine.h"
#include "collector/client/target.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

// A start that was, or would be.
struct StartPlace {
  const Machine& machine;
  const Target& target;        // its environment is the one that counts, its root the one in which paths are found
  uint16_t elf_machine = 0;    // of the program; 0: not known
  Libc libc = Libc::kUnknown;  // of the program
  std::string library = {};    // what the variables name, once that is known
};

// Is anything asked for that concerns profilers at the start?
bool AsksForProfiler(const std::vector<std::string>& environment);
// By its class or its file's name: the collector?
bool AsksForCollector(const std::vector<std::string>& environment);
// The variable that a runtime of this architecture prefers, and its value.
std::optional<std::pair<std::string, std::string>> ProfilerPath(const std::vector<std::string>& environment,
                                                                uint16_t elf_machine);

// The first link that is broken; nothing where the collector is loaded. Errors: start.* and target.diagnostics_off.
Status CheckStart(StartPlace place);

}  // namespace cairn::client
