#pragma once
// Large arrays that also lie in a file give their memory back: the file's pages take their place, and come when they
// are read. What was 40 bytes per object of the process's own is then the system's, which drops it when it needs the
// room. Thread rule: from any thread, while others read the array.

#include <cstdint>
#include <span>

namespace cairn::analysis::memory {

// `array` is a FlatArray's, or its beginning, which nobody writes to any more; `mapped` is a shared mapping of a file,
// both at the beginning of a page. Where the bytes are the same, whole pages of the array become those of the file;
// they stay when `mapped` goes. False: nothing has changed (small, other bytes, or the system cannot).
bool LieOverFile(std::span<const uint8_t> array, std::span<const uint8_t> mapped);
// Whole pages of a file's shared mapping are no longer resident until they are read again.
void LetGo(std::span<const uint8_t> mapped);

}  // namespace cairn::analysis::memory
