#pragma once
// A row of the chunks table, and how a column of it is named and checksummed. Private to
// snapshot-format/file.

#include <cstdint>
#include <span>

#include "snapshot-format/stream/checksum.h"
#include "snapshot-format/stream/chunk.h"

namespace cairn::snapshot {

struct ChunkRow {
  stream::ChunkHeader header;
  uint32_t raw_size[stream::kColumnCount] = {};  // 0: the column is empty and has no row
};

struct StoredChunk {
  uint64_t id = 0;  // in the chunks table
  ChunkRow row;
};

inline const char* ColumnName(stream::ColumnKind kind) {
  constexpr const char* kNames[stream::kColumnCount] = {"types",  "lengths", "gaps", "references",
                                                        "values", "hashes",  "texts"};
  return kNames[stream::ColumnSlot(kind)];
}

// Id of a row of the columns table. `chunk` is the id in the chunks table.
inline int64_t ColumnId(uint64_t chunk, stream::ColumnKind kind) {
  return static_cast<int64_t>(chunk * stream::kColumnCount + stream::ColumnSlot(kind));
}

// Includes where the column belongs, so that two swapped columns are found.
inline uint32_t ColumnChecksum(uint64_t chunk, stream::ColumnKind kind, std::span<const uint8_t> compressed) {
  uint8_t place[9];
  for (unsigned i = 0; i < 8; ++i) place[i] = static_cast<uint8_t>(chunk >> (8 * i));
  place[8] = static_cast<uint8_t>(kind);
  return stream::Crc32c(stream::Crc32c(0, place, sizeof place), compressed.data(), compressed.size());
}

}  // namespace cairn::snapshot
