#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <cstring>

#include "collector/runtime/safe_memory.h"

namespace cairn::collector {

bool ReadSafely(uint64_t address, void* out, size_t size) {
  if (address == 0 || size == 0 || address > UINTPTR_MAX) return false;
  const auto* from = reinterpret_cast<const void*>(static_cast<uintptr_t>(address));
  SIZE_T got = 0;
  return ReadProcessMemory(GetCurrentProcess(), from, out, size, &got) != 0 && got == size;
}

void ReadManySafely(std::span<const uint64_t> addresses, size_t size, uint8_t* out) {
  for (const uint64_t address : addresses) {
    if (!ReadSafely(address, out, size)) std::memset(out, 0, size);
    out += size;
  }
}

}  // namespace cairn::collector
