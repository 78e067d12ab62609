#pragma once
// Decodes one chunk. The input may be hostile: every count, id and length is checked before use, and
// nothing is read outside the given columns.
// Thread rule: a decoder is used by one thread; any number of decoders run side by side.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/stream/chunk.h"
#include "snapshot-format/stream/slot_map.h"
#include "snapshot-format/stream/varint.h"

namespace cairn::stream {

struct ChunkColumns {
  std::span<const uint8_t> column[kColumnCount];  // raw bytes, by ColumnSlot

  std::span<const uint8_t> operator[](ColumnKind kind) const { return column[ColumnSlot(kind)]; }
};

// One decoded chunk, reused from chunk to chunk. Slots of object i that are in this chunk are
// targets[first_slot[i] … first_slot[i + 1]); the continued array's come before first_slot[0].
// Only the last object may have more slots than are here: slots[i] counts them all.
struct DecodedChunk {
  std::vector<uint32_t> types;       // per object
  std::vector<uint64_t> addresses;   // per object
  std::vector<uint64_t> sizes;       // per object, bytes occupied, padding included
  std::vector<uint64_t> lengths;     // per object, component count; 0 for types of fixed size
  std::vector<uint64_t> slots;       // per object, all its slots, also those that follow in later chunks
  std::vector<uint32_t> first_slot;  // per object and one more
  std::vector<uint64_t> targets;     // per slot, address; 0 for null
};

class ChunkDecoder {
 public:
  // `types` is indexed by type id and must outlive the decoder. `alignment` of a chunk's range is given
  // per call. `unit_shift`: see ChunkEncoder.
  ChunkDecoder(std::span<const TypeLayout> types, unsigned unit_shift);

  // Fills `out`. Returns an empty string, or a sentence that says what is wrong and where in the chunk.
  // Complexity: linear in objects and slots.
  [[nodiscard]] std::string Decode(const ChunkHeader& header, const ChunkColumns& columns, uint32_t alignment,
                                   DecodedChunk& out);
  // The same of less, for a fraction of the time: only the columns of types, lengths and references are read, and
  // what the references are is not asked.
  [[nodiscard]] std::string DecodeSlotMap(const ChunkHeader& header, const ChunkColumns& columns, uint32_t alignment,
                                          SlotMap& out) const;

 private:
  // Each step returns an empty string or what is wrong.
  std::string CheckHeader(const ChunkHeader& header, uint32_t alignment) const;
  std::string DecodeObjects(const ChunkHeader& header, const ChunkColumns& columns, uint32_t alignment,
                            DecodedChunk& out);
  std::string PlaceSlots(const ChunkHeader& header, DecodedChunk& out) const;
  std::string DecodeReferences(const ChunkHeader& header, const ChunkColumns& columns, DecodedChunk& out);
  uint64_t* Cells(uint32_t type);

  std::span<const TypeLayout> types_;
  unsigned unit_shift_;
  // Predictor cells of the types met in this chunk, handed out at their first object: memory is bound
  // by the chunk, never by the number of types a file claims.
  uint32_t epoch_ = 0;
  std::vector<uint32_t> cell_epoch_;  // per type
  std::vector<uint32_t> first_cell_;  // per type, index into cells_
  std::vector<uint64_t> cells_;
};

}  // namespace cairn::stream
