#pragma once
// The known leaks of libraries that this program brings along: known-leaks/*.toml.

#include <vector>

#include "viewer/check/rules.h"

namespace cairn::check {

// Errors: of a file of ours; a test reads them all.
Result<std::vector<KnownLeak>> BuiltInKnownLeaks(const Words& words);

}  // namespace cairn::check
