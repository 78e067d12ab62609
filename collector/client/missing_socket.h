#pragma once
// Why a .NET process has no diagnostics socket, as far as it can be seen from outside.

#include "collector/client/target.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

// Of a target without sockets. Always target.no_socket, with the likeliest reason and what to do about it.
Error WhyNoSocket(const Target& target);

}  // namespace cairn::client
