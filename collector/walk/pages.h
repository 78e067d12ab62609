#pragma once
// The system calls of the walk, so that the rest knows no operating system. None of them allocates, locks,
// throws or changes errno.

#include <cstddef>
#include <cstdint>

namespace cairn::collector::pages {

inline constexpr size_t kPageBytes = 4096;  // granularity of touching and releasing; real pages may be larger

// Zeroed private memory that costs nothing until touched and, unless asked for, does not exist in a forked child's
// copy of this process. nullptr: refused.
uint8_t* Map(size_t bytes, bool in_children = false);
// Zeroed memory that a forked child shares with this process: what either writes, both see, and nothing is copied.
uint8_t* MapShared(size_t bytes);
void Unmap(uint8_t* start, size_t bytes);

// Makes [start, start + bytes) resident. False: the system would not give the memory.
bool Populate(uint8_t* start, size_t bytes);

// Gives whole pages inside [start, start + bytes) back.
void Release(uint8_t* start, size_t bytes);

// Whether [address, address + bytes) can be read, asked without reading it: no signal, no handler.
bool IsReadable(uint64_t address, uint64_t bytes);

}  // namespace cairn::collector::pages
