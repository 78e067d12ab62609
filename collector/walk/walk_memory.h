#pragma once
// All memory of a walk in one mapping of its own, excluded from forks, touched before the pause, given
// back by Free:
//
//   | fixed tables (types, their slots, hash table) | staging buffers of one chunk | spool → |
//
// Thread rule: one owner; Release may be called by the sending thread.

#include <cstddef>
#include <cstdint>

#include "snapshot-format/stream/chunk.h"

namespace cairn::collector {

// One block of the spool: a header and the columns, uncompressed.
struct SpoolBlock {
  stream::ChunkHeader header;  // type ids are the walker's, not yet ranked
  uint32_t column_size[stream::kColumnCount];
  const uint8_t* column[stream::kColumnCount];
};

class WalkMemory {
 public:
  WalkMemory() = default;
  ~WalkMemory();
  WalkMemory(const WalkMemory&) = delete;
  WalkMemory& operator=(const WalkMemory&) = delete;

  // Reserves address space for a spool of `spool_bytes` and the fixed tables. False: refused by the system.
  bool Map(uint64_t spool_bytes);
  // For a walk in a forked child: shared with it, and without a spool. Chunks go to a ChunkSink.
  bool MapShared();
  // Faults in what an ordinary walk needs: the first `spool_bytes` of the spool, the start of the staging buffers and
  // of the tables. False: the system would not give the memory.
  bool Touch(uint64_t spool_bytes);
  // Of the tables only: where there will hardly be a walk that encodes here.
  bool TouchTables();
  // Of the spool only, as far as `bytes`.
  bool TouchSpool(uint64_t bytes);
  void Free();

  bool IsMapped() const { return base_ != nullptr; }
  uint64_t SpoolCapacity() const { return spool_capacity_; }
  uint64_t SpoolUsed() const { return spool_used_; }
  // As far as it was made resident.
  uint64_t SpoolTouched() const { return spool_touched_; }
  // Iterates blocks in the order they were written. `*at` starts at 0; false at the end.
  bool NextBlock(uint64_t* at, SpoolBlock* block) const;
  // Gives pages before `at` back to the system; those blocks are gone.
  void Release(uint64_t at);
  // Gives back what nobody needs once the walk is over: the staging buffers, and the spool behind its blocks.
  void ReleaseUnused();

 private:
  bool Use(uint8_t* base, uint64_t spool_bytes);

  friend class HeapWalker;
  friend class SpoolWriter;
  friend class TypeTable;

  uint8_t* base_ = nullptr;
  uint64_t mapped_ = 0;
  uint8_t* spool_ = nullptr;
  uint64_t spool_capacity_ = 0;
  uint64_t spool_used_ = 0;
  uint64_t spool_touched_ = 0;
};

}  // namespace cairn::collector
