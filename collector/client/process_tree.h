#pragma once
// A process and what it started, to any depth, as /proc shows it at one moment.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collector/client/target.h"

namespace cairn::client {

// `root` first, then its children in order of pid, then theirs. A child whose parent has ended is no longer known.
std::vector<int64_t> ProcessTree(const ProcFs& proc, int64_t root);

// Is the name, as --child takes it, that of its assembly or program? An empty one is everybody's.
bool IsCalled(const Target& target, const std::string& name);

// The process to watch below `root`: the first of the tree with a diagnostics socket or a collector that was loaded at
// its start, or, where `name` is given, the first of that name with one.
std::optional<Target> FindWatched(const Machine& machine, int64_t root, const std::string& name);

// The same, but one whose diagnostics are switched off: error target.diagnostics_off names the variable.
// `at_start`: one that loads no collector at its start either.
Status CheckTreeSwitches(const Machine& machine, int64_t root, const std::string& name, bool at_start = false);

}  // namespace cairn::client
