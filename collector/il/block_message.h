#pragma once
// A block of the observer of methods: its kind, then the message.

#include "collector/protocol/method_observation.h"

namespace cairn::collector::il {

template <class Message>
struct BlockMessage {
  protocol::MethodBlock kind;
  const Message& message;
};
template <class A, class Message>
void Fields(A& a, BlockMessage<Message>& m) {
  a(m.kind);
  a(m.message);
}

}  // namespace cairn::collector::il
