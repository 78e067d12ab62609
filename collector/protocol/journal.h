#pragma once
// What a collector that tracks tells of each collection, as records one behind the other in kJournal frames: plain
// structs, copied as they are. Each record is a header and `count` items of the size that its kind says.
// Do not renumber.

#include <cstddef>
#include <cstdint>

namespace cairn::protocol {

enum class JournalKind : uint16_t {
  kCollection = 1,  // which one it is, behind kBounds; value: the runtime's number of it
  kBounds = 2,      // of the heap as it begins, items: HeapBound; detail: bit per generation that is collected
  kCondemned = 3,   // what the runtime says afterwards; detail: oldest generation collected
  kSurvived = 4,    // items: SurvivedRange
  kMoved = 5,       // items: MovedRange
  kFinished = 6,    // nothing moves any more; items: HeapBound, all of them, as the application goes on
  kMarker = 7,      // a snapshot was taken in this pause; value: first eight bytes of its nonce
  kLost = 8,        // something is missing here; detail: JournalLoss
  kSampled = 9,     // of an observation of allocations: objects made here; items: SampledObject
};

enum class JournalLoss : uint16_t {
  kOverflow = 1,   // more ranges than the journal holds until they are sent
  kMalformed = 2,  // an event of another shape than known
  kNoBounds = 3,   // the runtime did not tell where its generations lie
};

struct JournalHeader {
  JournalKind kind{};
  uint16_t detail = 0;
  uint32_t count = 0;
  uint64_t value = 0;
};
static_assert(sizeof(JournalHeader) == 16);

struct HeapBound {
  uint64_t start = 0;
  uint64_t used = 0;      // bytes from start
  uint64_t reserved = 0;  // bytes from start that belong to this generation and to no other
  uint32_t generation = 0;  // 0, 1, 2, 3 large objects, 4 pinned objects
  uint32_t unused = 0;
};
static_assert(sizeof(HeapBound) == 32);

// As the runtime's events pack them.
struct SurvivedRange { uint64_t start = 0, length = 0; };
struct MovedRange { uint64_t from = 0, to = 0, length = 0; };
struct SampledObject { uint64_t address = 0, size = 0, key = 0; };
static_assert(sizeof(SampledObject) == 24);
static_assert(sizeof(SurvivedRange) == 16 && sizeof(MovedRange) == 24);

inline constexpr size_t ItemBytes(JournalKind kind) {
  switch (kind) {
    case JournalKind::kBounds:
    case JournalKind::kFinished:
      return sizeof(HeapBound);
    case JournalKind::kSurvived:
      return sizeof(SurvivedRange);
    case JournalKind::kMoved:
      return sizeof(MovedRange);
    case JournalKind::kSampled:
      return sizeof(SampledObject);
    default:
      return 0;
  }
}

}  // namespace cairn::protocol
