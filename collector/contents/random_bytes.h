#pragma once
// Random bytes of the operating system, good enough for secrets. Never blocks. Not for the pause.

#include <cstddef>

namespace cairn::collector {

// False: the system has none yet.
bool FillWithRandom(void* out, size_t size);

}  // namespace cairn::collector
