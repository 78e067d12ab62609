#pragma once
// MethodBody → bytes of a method, header first. Branches keep their form and grow where the distance does not fit.
// Pure. Complexity: linear for each round of growing. May throw std::bad_alloc.

#include "collector/il/method_body.h"

namespace cairn::collector::il {

Fault WriteBody(const MethodBody& body, std::vector<uint8_t>& bytes);

}  // namespace cairn::collector::il
