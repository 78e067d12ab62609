#pragma once
// Compresses the spool chunk by chunk into the socket, giving each chunk's memory back as it goes.
// Call-site rule: no runtime call is made here, so it may outlive the detach.

#include <cstdint>
#include <functional>

#include "collector/capture/client_channel.h"
#include "collector/capture/type_ranking.h"
#include "collector/walk/heap_walker.h"

namespace cairn::collector {

enum class SendOutcome : uint8_t { kSent, kClientGone, kFailed };

// `between` runs after each chunk with the number of chunks sent so far.
SendOutcome SendChunks(ClientChannel& channel, WalkMemory& memory, const TypeRanking& ranking,
                       const std::function<void(uint64_t)>& between, uint64_t* chunks);

}  // namespace cairn::collector
