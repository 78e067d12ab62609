#pragma once
// A .gcdump of five nodes, written by hand from the description of the format: `[.NET Roots]` → `[local vars]` →
// MyApp.Node (24) ⇄ MyApp.Node (24) → System.String (22).

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::convert::testing {

std::vector<uint8_t> KnownDump();

}  // namespace cairn::convert::testing
