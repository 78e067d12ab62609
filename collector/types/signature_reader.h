#pragma once
// Decodes the type inside a field or TypeSpec signature (ECMA-335 II.23.2). Pure; every read is bounded.

#include <cstdint>
#include <vector>

#include "collector/types/runtime_source.h"

namespace cairn::collector {

struct SignatureType {
  uint8_t element = 0;  // element::k…; of a generic instantiation kClass or kValueType
  Token token = 0;      // kClass, kValueType: TypeDef, TypeRef or TypeSpec
  uint32_t number = 0;  // kVar, kMVar: index; kArray: rank
  // kSzArray, kArray, kPtr, kByRef: one, the element; kClass, kValueType: type arguments
  std::vector<SignatureType> children;
};

// False: malformed, or nested deeper than any compiler nests.
bool ReadFieldSignature(Signature signature, SignatureType* type);
bool ReadTypeSignature(Signature signature, SignatureType* type);

}  // namespace cairn::collector
