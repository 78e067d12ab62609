#pragma once
// Reads the client data of the attach request. It comes from whoever may open the diagnostics socket:
// every byte is checked. Pure.

#include <cstddef>

#include "collector/protocol/protocol.h"

namespace cairn::collector {

// Copies a well-formed block. False: wrong magic, version or size, an unknown enumerator, or a socket path
// without its final 0; there is then nobody to tell.
bool ReadOptions(const void* data, size_t size, protocol::Options& options);

}  // namespace cairn::collector
