#pragma once
// Static fields whose slots lie inside heap objects: finds what each slot held, out of the chunks.

#include <cstdint>
#include <string>
#include <vector>

#include "collector/protocol/messages.h"
#include "snapshot-format/file/model.h"
#include "snapshot-format/stream/chunk_decoder.h"

namespace cairn::client {

class StaticResolver {
 public:
  void Add(std::vector<protocol::Static> statics);
  // Looks for slots inside the chunk's objects. `types` by type id.
  void Look(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
            const std::vector<snapshot::Type>& types);

  // One root for each slot that was found and is not null.
  std::vector<snapshot::Root> Roots() const;
  // Names of those whose slot lay in no object that was seen.
  std::vector<std::string> Unresolved() const;

 private:
  struct Entry {
    protocol::Static field;
    uint64_t target = 0;
    bool found = false;
  };
  size_t FirstFrom(uint64_t address) const;
  void LookInObjects(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
                     const std::vector<snapshot::Type>& types);
  void LookInContinued(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
                       const std::vector<snapshot::Type>& types);

  std::vector<Entry> entries_;  // by slot address, once sorted_
  bool sorted_ = true;
};

// Number of the slot at `offset` from the start of an object of `type`; -1 when there is none.
int64_t SlotNumber(const snapshot::Type& type, uint64_t offset);

}  // namespace cairn::client
