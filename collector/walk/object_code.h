#pragma once
// The addresses of code that an object holds: a delegate's.
// Call-site rule: inside the pause; no allocation, no lock.

#include "collector/contents/code_table.h"
#include "collector/walk/raw_memory.h"
#include "collector/walk/walked_type.h"

namespace cairn::collector {

template <unsigned kPointerSize>
inline void AddCode(const WalkedType& type, uint64_t object, CodeTable& code) {
  for (const uint32_t offset : type.code) {
    if (offset != 0) code.Add(LoadPointer<kPointerSize>(object + offset));
  }
}

}  // namespace cairn::collector
