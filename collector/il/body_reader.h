#pragma once
// Bytes of a method, header first → MethodBody (ECMA-335, II.25.4). Pure; every read is bounded.
// Complexity: linear. May throw std::bad_alloc.

#include <span>

#include "collector/il/method_body.h"

namespace cairn::collector::il {

// `bytes` start at the header and may go on behind the body.
Fault ReadBody(std::span<const uint8_t> bytes, MethodBody& body);

}  // namespace cairn::collector::il
