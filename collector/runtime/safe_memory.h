#pragma once
// Reads memory of this process without trusting the address: a bad one gives false, not a crash.
// A system call each (0.3 to 7 us): read blocks, not words. Thread rule: any.

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::collector {

// All of it or nothing.
bool ReadSafely(uint64_t address, void* out, size_t size);

// The same for many addresses, `size` bytes each into `out` one after the other, with few system calls. What cannot
// be read is left as zeros.
void ReadManySafely(std::span<const uint64_t> addresses, size_t size, uint8_t* out);

template <class T>
bool ReadSafely(uint64_t address, T* value) {
  return ReadSafely(address, value, sizeof *value);
}

}  // namespace cairn::collector
