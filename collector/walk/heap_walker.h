#pragma once
// Walks heap ranges object by object and encodes what it finds into a spool.
//
//   WalkMemory memory;  memory.Map(bytes);  memory.Touch(bytes);        // before the pause
//   HeapWalker walker(layout, memory);
//   walker.CheckSample(ranges, inspector, 32);                          // in the pause
//   walker.Walk(ranges);                                                // in the pause
//   for (block : memory.Blocks()) …                                     // after the pause
//
// Call-site rule: Walk and CheckSample only while the runtime is suspended inside
// GarbageCollectionFinished (or in a forked child). They allocate nothing, take no lock, log nothing,
// throw nothing, and survive wild method tables: a range that does not end exactly is a fault, reported.

#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/walk/layout.h"
#include "snapshot-format/stream/chunk.h"
#include "snapshot-format/stream/chunk_encoder.h"

namespace cairn::collector {

struct HeapRange {
  // Given by the caller.
  uint64_t start = 0;
  uint64_t length = 0;
  uint64_t reserved = 0;
  stream::Generation generation{};
  uint32_t alignment = 8;
  // Filled by the walk.
  uint64_t objects = 0, bytes = 0, free_objects = 0, free_bytes = 0, largest_free = 0, edges = 0;
  uint64_t walked = 0;  // equals length when the range ended exactly
};

// What the walk learnt of one type, keyed by MethodTable. Ids are in the order of first sight.
struct WalkedType {
  uint64_t method_table = 0;
  uint64_t exemplar = 0;         // address of one instance, valid only in the pause
  uint64_t loader_allocator = 0; // set by the caller in the pause for collectible types
  uint64_t class_id = 0;         // set by the caller in the pause; 0: same as the MethodTable
  uint64_t objects = 0, bytes = 0;
  uint32_t base_size = 0;
  uint32_t component_size = 0;
  uint32_t flags = 0;            // the MethodTable's first word
  bool collectible = false;
  bool is_free = false;          // the Free pseudo type
  bool explicit_slots = false;   // see stream::TypeLayout
  uint32_t elements_offset = 0;
  uint32_t fixed_slot_count = 0;
  uint32_t element_slot_count = 0;
  const uint32_t* slots = nullptr;  // fixed_slot_count offsets, or element_slot_count offsets in a component
  stream::SlotPredictor predictor;
};

enum class WalkFault : uint8_t {
  kNone = 0,
  kZeroMethodTable,       // not in the NonGC heap, where it ends the range
  kUnreadableMethodTable,
  kImplausibleMethodTable,
  kImplausibleGcDesc,
  kOverrun,               // an object reaches beyond its range
  kSpoolFull,
  kTooManyTypes,
};
const char* FaultCode(WalkFault fault);      // "walk.zero_method_table" …
const char* FaultSentence(WalkFault fault);  // what it means

struct WalkProblem {
  WalkFault fault{};
  uint32_t range = 0;
  uint64_t address = 0;  // of the object
  uint64_t value = 0;    // the MethodTable or the size that was found
};

struct WalkReport {
  uint64_t objects = 0, bytes = 0, free_objects = 0, free_bytes = 0, edges = 0, chunks = 0;
  static constexpr size_t kMaxProblems = 64;
  WalkProblem problems[kMaxProblems];
  uint64_t problem_count = 0;  // may be larger than kMaxProblems
};

// What the runtime itself says of an object: the profiling API in the collector, a table in tests.
class ObjectInspector {
 public:
  struct Reference {
    uint64_t offset;  // of the slot from the object's start; kNoOffset for the LoaderAllocator edge
    uint64_t target;
  };
  static constexpr uint64_t kNoOffset = ~uint64_t{0};
  using Visit = void (*)(void* context, Reference reference);

  virtual uint64_t Size(uint64_t object) = 0;     // unaligned, 0 on failure
  virtual uint64_t ClassId(uint64_t object) = 0;  // 0 for Free objects
  virtual bool References(uint64_t object, Visit visit, void* context) = 0;  // non-null ones, slot order

 protected:
  ~ObjectInspector() = default;
};

struct CheckReport {
  uint64_t objects = 0;    // compared
  uint64_t differences = 0;
  uint64_t first_object = 0;    // address of the first difference
  const char* first_what = "";  // "size", "class", "references"
};

// One block of the spool: a header and the four columns, uncompressed.
struct SpoolBlock {
  stream::ChunkHeader header;  // type ids are the walker's, not yet ranked
  uint32_t column_size[stream::kColumnCount];
  const uint8_t* column[stream::kColumnCount];
};

// All memory of a walk in mappings of its own, excluded from forks, touched before the pause, given back
// by Free. Thread rule: one owner; Release may be called by the sending thread.
class WalkMemory {
 public:
  WalkMemory() = default;
  ~WalkMemory();
  WalkMemory(const WalkMemory&) = delete;
  WalkMemory& operator=(const WalkMemory&) = delete;

  // Reserves address space for a spool of `spool_bytes` and the fixed tables. False: refused by the system.
  bool Map(uint64_t spool_bytes);
  // Faults in the first `spool_bytes` of the spool and the staging buffers, in slices.
  // False: the system would not give the memory.
  bool Touch(uint64_t spool_bytes);
  void Free();

  uint64_t SpoolUsed() const;
  // Iterates blocks in the order they were written. `*at` starts at 0; false at the end.
  bool NextBlock(uint64_t* at, SpoolBlock* block) const;
  // Gives pages before `at` back to the system; those blocks are gone.
  void Release(uint64_t at);

 private:
  friend class HeapWalker;
  friend class SpoolWriter;
  uint8_t* base_ = nullptr;
  uint64_t mapped_ = 0;
  uint8_t* spool_ = nullptr;
  uint64_t spool_capacity_ = 0;
  uint64_t spool_used_ = 0;
};

class HeapWalker {
 public:
  HeapWalker(const LayoutPolicy& layout, WalkMemory& memory);

  // Compares the first `per_range` objects of each range (all where 0) with `inspector`: size after
  // alignment, class, references with their offsets in order. Writes nothing to the spool.
  CheckReport CheckSample(std::span<const HeapRange> ranges, ObjectInspector& inspector, uint64_t per_range);

  // Walks all ranges, which are in address order, and fills their counts.
  WalkReport Walk(std::span<HeapRange> ranges);
  // The same through `inspector` for every object, where CheckSample found a difference.
  WalkReport WalkThroughApi(std::span<HeapRange> ranges, ObjectInspector& inspector);

  // Types met so far, by walker id, the Free pseudo type among them.
  std::span<WalkedType> Types();
};

}  // namespace cairn::collector
