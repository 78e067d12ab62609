#pragma once
// What export and import say when they are done.

#include <string>

#include "viewer/cli/snapshot_output.h"
#include "viewer/convert/converted.h"

namespace cairn::cli {

// `named`: the snapshot that was read, or that was made.
void PrintConversion(Console& console, const NamedSummaries& named, const std::string& output,
                     const convert::Converted& converted);

}  // namespace cairn::cli
