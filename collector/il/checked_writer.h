#pragma once
// The only way in which a body leaves this room: verified, written, read back, compared.

#include "collector/il/body_verifier.h"

namespace cairn::collector::il {

// `bytes` is only to be used where the answer is kNone.
Fault WriteChecked(const MethodBody& body, const MethodShape& shape, SignatureSource& signatures,
                   std::vector<uint8_t>& bytes);

}  // namespace cairn::collector::il
