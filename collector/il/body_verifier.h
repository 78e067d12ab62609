#pragma once
// Whether a body is one that the runtime compiles: regions nest, control stays in them, the evaluation stack has one
// depth at each instruction and never more than declared, variables and calls exist. Types are not looked at: what is
// verified was a compiler's and got instructions around it. Only what can be reached is followed, as the runtime does.
// Pure. Complexity: linear in instructions, times the depth of the regions. May throw std::bad_alloc.

#include "collector/il/region_tree.h"
#include "collector/il/signature_shape.h"

namespace cairn::collector::il {

struct MethodShape {
  uint32_t arguments = 0;  // "this" included
  uint32_t locals = 0;
  bool returns = false;
};

Fault VerifyBody(const MethodBody& body, const MethodShape& shape, SignatureSource& signatures);

}  // namespace cairn::collector::il
