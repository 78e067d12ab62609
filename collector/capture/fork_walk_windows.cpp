// No process is forked here: ForkRefusal always says no, so that none of this is ever made. It only completes what
// the rest of the collector is linked with.

#include "collector/capture/fork_walk.h"

namespace cairn::collector {

ChildMemory::~ChildMemory() = default;
bool ChildMemory::Map() { return false; }

ChildStream::ChildStream(const Parts& parts) : parts_(parts), compressor_(nullptr) {}
bool ChildStream::Take(const stream::ChunkEncoder&) { return false; }

ForkWalk::ForkWalk(const LayoutPolicy&, ChildMemory& memory, Setup setup)
    : memory_(memory), setup_(std::move(setup)), stream_({}), walker_(nullptr) {}
ForkWalk::~ForkWalk() = default;
bool ForkWalk::CountTypes(std::span<HeapRange>, WalkReport&) { return false; }
bool ForkWalk::Run(std::span<HeapRange>, WalkReport&) { return false; }
bool ForkWalk::FinishTypes(std::span<HeapRange>, WalkReport&) { return false; }
SendOutcome ForkWalk::Send(ClientChannel&, const TypeRanking&, const Between&, uint64_t*) {
  return SendOutcome::kFailed;
}

}  // namespace cairn::collector
