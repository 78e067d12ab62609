#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "collector/walk/pages.h"

namespace cairn::collector::pages {
namespace {

uint8_t* Allocate(size_t bytes) {
  return static_cast<uint8_t*>(VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
}

bool CanRead(const MEMORY_BASIC_INFORMATION& region) {
  constexpr DWORD kUnreadable = PAGE_NOACCESS | PAGE_GUARD;
  return region.State == MEM_COMMIT && (region.Protect & kUnreadable) == 0;
}

}  // namespace

// What is committed is promised by the system, but costs no memory before it is touched. There are no forks.
uint8_t* Map(size_t bytes, bool) { return Allocate(bytes); }

uint8_t* MapShared(size_t bytes) { return Allocate(bytes); }

void Unmap(uint8_t* start, size_t) { VirtualFree(start, 0, MEM_RELEASE); }

bool Populate(uint8_t* start, size_t bytes) {
  for (size_t i = 0; i < bytes; i += kPageBytes) {
    volatile uint8_t* byte = start + i;
    *byte = *byte;
  }
  return true;
}

// The contents are not needed any more: the system may drop the pages instead of writing them to disk.
void Release(uint8_t* start, size_t bytes) {
  const auto from = (reinterpret_cast<uintptr_t>(start) + kPageBytes - 1) & ~(kPageBytes - 1);
  const auto to = reinterpret_cast<uintptr_t>(start + bytes) & ~(kPageBytes - 1);
  if (from < to) VirtualAlloc(reinterpret_cast<void*>(from), to - from, MEM_RESET, PAGE_READWRITE);
}

bool IsReadable(uint64_t address, uint64_t bytes) {
  if (address > UINTPTR_MAX || bytes > UINTPTR_MAX - address) return false;
  const uint64_t end = address + bytes;
  for (uint64_t at = address; at < end;) {
    MEMORY_BASIC_INFORMATION region;
    if (VirtualQuery(reinterpret_cast<void*>(static_cast<uintptr_t>(at)), &region, sizeof region) == 0) return false;
    if (!CanRead(region)) return false;
    at = reinterpret_cast<uintptr_t>(region.BaseAddress) + uint64_t{region.RegionSize};
  }
  return true;
}

}  // namespace cairn::collector::pages
