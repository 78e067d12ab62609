#pragma once
// Loads from raw addresses. The caller knows that the address is readable.

#include <cstdint>

namespace cairn::collector {

template <class T>
inline T Load(uint64_t address) {
  T value;
  __builtin_memcpy(&value, reinterpret_cast<const void*>(static_cast<uintptr_t>(address)), sizeof value);
  return value;
}

// A pointer of the target: 4 or 8 bytes.
template <unsigned kPointerSize>
inline uint64_t LoadPointer(uint64_t address) {
  static_assert(kPointerSize == 4 || kPointerSize == 8);
  if constexpr (kPointerSize == 8) return Load<uint64_t>(address);
  return Load<uint32_t>(address);
}

inline uint64_t LoadPointer(uint64_t address, unsigned pointer_size) {
  return pointer_size == 8 ? LoadPointer<8>(address) : LoadPointer<4>(address);
}

}  // namespace cairn::collector
