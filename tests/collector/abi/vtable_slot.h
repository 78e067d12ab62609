#pragma once
// The vtable slot of a virtual method, read out of its pointer-to-member.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cairn::collector::abi {

// Itanium C++ ABI: the first word of the pointer holds the method's offset in the vtable. On x64 its low
// bit says "virtual"; on ARM that bit is in the second word, so dropping the bit serves both.
template <class Method>
size_t VtableSlot(Method method) {
  uintptr_t words[2];
  static_assert(sizeof method == sizeof words);
  std::memcpy(words, &method, sizeof words);
  return (words[0] & ~uintptr_t{1}) / sizeof(void*);
}

}  // namespace cairn::collector::abi
