#pragma once
// Reads memory of this process without trusting the address: a bad one gives false, not a crash.
// A system call each (0.3 to 7 us): read blocks, not words. Thread rule: any.

#include <cstddef>
#include <cstdint>

namespace cairn::collector {

// All of it or nothing.
bool ReadSafely(uint64_t address, void* out, size_t size);

template <class T>
bool ReadSafely(uint64_t address, T* value) {
  return ReadSafely(address, value, sizeof *value);
}

}  // namespace cairn::collector
