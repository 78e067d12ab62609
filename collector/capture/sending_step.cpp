#include "collector/capture/sending_step.h"

#include "collector/capture/chunk_packer.h"

namespace cairn::collector {

SendOutcome SendChunks(ClientChannel& channel, WalkMemory& memory, const TypeRanking& ranking,
                       const std::function<void(uint64_t)>& between, uint64_t* chunks) {
  ChunkPacker packer(ranking);
  SpoolBlock block{};
  *chunks = 0;
  for (uint64_t at = 0; memory.NextBlock(&at, &block);) {
    const std::vector<uint8_t>* payload = packer.Pack(block);
    if (payload == nullptr) return SendOutcome::kFailed;
    if (!channel.SendFrame(protocol::FrameKind::kChunk, *payload)) return SendOutcome::kClientGone;
    memory.Release(at);
    between(++*chunks);
  }
  return SendOutcome::kSent;
}

}  // namespace cairn::collector
