#pragma once
// Loading the collector when a process starts: the variables that make its runtime do so, for one whose diagnostics
// socket is off.

#include <string>
#include <vector>

#include "collector/client/machine.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

// "{8C3A1E52-6B0D-4F57-9E4B-C41A12DD5A01}"
std::string ClsidText();

// Do these variables keep a runtime from listening to tools, so that only its start is left?
bool KeepsSocketOff(const std::vector<std::string>& environment);

// `environment` with what loads `library` at the start, and a folder of our own for its socket. Places the library.
// Errors: target.diagnostics_off, attach.other_profiler (what would be in the way), those of library and placement.
Result<std::vector<std::string>> StartEnvironment(const Machine& machine, std::vector<std::string> environment,
                                                  const std::string& library);

}  // namespace cairn::client
