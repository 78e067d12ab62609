#pragma once
// Finds the runtime's contract descriptor in this process (.NET 9 and later).

#include <string>

namespace cairn::collector {

// Its JSON; empty where the runtime has none or it is not one that we can read.
std::string ReadContractDescriptor();

}  // namespace cairn::collector
