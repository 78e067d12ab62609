#pragma once
// The name that the operating system has for a thread of this process. Not for the pause.

#include <cstdint>
#include <string>

namespace cairn::collector {

// Empty: it has none, or is gone.
std::string ThreadName(uint32_t os_id);

}  // namespace cairn::collector
