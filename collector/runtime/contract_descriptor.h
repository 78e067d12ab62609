#pragma once
// Finds the runtime's contract descriptor in this process (.NET 9 and later).

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::collector {

struct ContractDescriptor {
  std::string text;                // the JSON; empty where the runtime has none or it is not one that we can read
  std::vector<uint64_t> pointers;  // addresses of the runtime's global variables, as the JSON numbers them
};

ContractDescriptor ReadContractDescriptor();

}  // namespace cairn::collector
