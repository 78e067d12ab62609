#pragma once
// Speaks the collector's side of the conversation over a small heap that is laid out here:
//
//   0x10000 Node     [8] → 0x10020, [16] null
//   0x10020 Node     [8] → 0x10000, [16] → 0x10080
//   0x10040 64 bytes of free space
//   0x10080 Object[3] → 0x10000, null, 0x10020
//   0x100B0 end
//
// 3 objects, 32 + 32 + 48 = 112 bytes; 1 free object of 64 bytes; 1 + 2 + 2 = 5 references.

#include <cstdint>
#include <string>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/protocol/protocol.h"
#include "snapshot-format/stream/chunk_decoder.h"
#include "snapshot-format/stream/records.h"

namespace cairn::client::testing {

inline constexpr uint64_t kFirst = 0x10000, kSecond = 0x10020, kArray = 0x10080, kEnd = 0x100B0;

struct Sent {
  protocol::FrameKind kind{};
  std::vector<uint8_t> payload;
};

template <class Message>
Sent Say(protocol::FrameKind kind, const Message& message) {
  stream::RecordWriter writer;
  writer(message);
  return {kind, writer.Take()};
}

// Everything a good capture says, as plain messages that a test may change before they are turned into frames.
struct Conversation {
  Conversation();

  protocol::Hello hello;
  protocol::Ranges ranges;
  protocol::Types types;
  protocol::TypeNames names;
  protocol::Modules modules;
  protocol::Roots roots;
  protocol::Dependents dependents;
  protocol::Threads threads;
  protocol::Statics statics;
  protocol::WalkEnd walk;
  std::vector<Sent> chunks;

  // hello, state, ranges, types, names, modules, roots, dependents, threads, statics, walk end, detached,
  // chunks, end: 13 frames and one per chunk.
  std::vector<Sent> Frames() const;
};

// The payload of a kChunk frame.
std::vector<uint8_t> ChunkPayload(const stream::ChunkHeader& header, const stream::ChunkColumns& columns);

std::vector<uint8_t> FrameBytes(const Sent& sent, uint64_t sequence);

// Connects to a path; -1 when nobody listens.
int ConnectTo(const std::string& path);
// Sends the frames one after the other; false once the other side has hung up.
bool SendFrames(int fd, const std::vector<Sent>& frames);

}  // namespace cairn::client::testing
