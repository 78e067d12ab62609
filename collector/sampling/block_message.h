#pragma once
// A block about allocations: its AllocationBlock as one byte, then the message.

#include "collector/observing/observation_sink.h"
#include "collector/protocol/allocation_observation.h"

namespace cairn::collector {

template <class Message>
struct TaggedBlock {
  protocol::AllocationBlock tag;
  const Message& message;
};
template <class A, class Message>
void Fields(A& a, TaggedBlock<Message>& m) {
  a(m.tag);
  a(const_cast<Message&>(m.message));
}

// False: the client is gone.
template <class Message>
bool TellBlock(ObservationSink& sink, protocol::AllocationBlock tag, const Message& message) {
  return sink.Send(TaggedBlock<Message>{tag, message});
}

}  // namespace cairn::collector
