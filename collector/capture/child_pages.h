#pragma once
// The runtime keeps its type structures in a file that it maps twice, once to be executed. Such pages are shared with a
// forked child: when the runtime gives back the memory of an unloaded context, it is zeroed or used anew in the child
// too, while dead objects of that context still lie in the child's copy of the heap.
// Call-site rule: only in the child, before anything else is read. Nothing here allocates from a heap, locks or logs.

#include <cstddef>
#include <cstdint>

namespace cairn::collector::child {

// More than this is never copied (the application stands still meanwhile); the largest mappings are left out first.
constexpr uint64_t kMostOwnPages = uint64_t{64} << 20;

// Puts a private copy in the place of every writable mapping of that file; as far as the child is concerned nothing
// changes from here on. `room`: scratch memory of `size` bytes. False: the system refused, and pages are shared still.
bool OwnSharedPages(uint8_t* room, size_t size);

}  // namespace cairn::collector::child
