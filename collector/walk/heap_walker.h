#pragma once
// Walks heap ranges object by object and encodes what it finds into a spool.
//
//   WalkMemory memory;  memory.Map(bytes);  memory.Touch(bytes);        // before the pause
//   HeapWalker walker(layout, memory);
//   walker.CheckSample(ranges, inspector, 32);                          // in the pause
//   walker.Walk(ranges);                                                // in the pause
//   while (memory.NextBlock(&at, &block)) …                             // after the pause
//
// Call-site rule: Walk and CheckSample only while the runtime is suspended inside
// GarbageCollectionFinished (or in a forked child). They allocate nothing, take no lock, log nothing,
// throw nothing, and survive wild method tables: a range that does not end exactly is a fault, reported.
// Thread rule: one walker and one WalkMemory per walking thread; walkers share nothing.

#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/contents/code_table.h"
#include "collector/walk/layout.h"
#include "collector/walk/object_inspector.h"
#include "collector/walk/spool_writer.h"
#include "collector/walk/type_table.h"
#include "collector/walk/walk_memory.h"
#include "collector/walk/walk_report.h"
#include "collector/walk/walked_type.h"

namespace cairn::collector {

// Large (its type cache and the table of code addresses are inside): not for a small stack.
class HeapWalker {
 public:
  // `memory` is mapped, and outlives the walker. Chunks go to `sink` where there is one.
  HeapWalker(const LayoutPolicy& layout, WalkMemory& memory, ChunkSink* sink = nullptr);

  // Compares the first `per_range` objects of each range (all where 0) with `inspector`: size after
  // alignment, class, references with their offsets in order. Writes nothing to the spool. An array whose
  // ClassID is not its MethodTable is no difference: the ClassID goes to its WalkedType.
  CheckReport CheckSample(std::span<const HeapRange> ranges, ObjectInspector& inspector, uint64_t per_range);

  // Walks `ranges`, which are in address order, and fills their counts. Chunks name range i as
  // `first_range + i`, so that several walkers may share the ranges of one heap. A full spool stops the
  // walk; any other fault only its range. Counts include the objects before a fault.
  WalkReport Walk(std::span<HeapRange> ranges, uint32_t first_range = 0);
  // The same through `inspector` for every object, where CheckSample found a difference. Of the raw heap
  // only the MethodTable word of each object is read.
  WalkReport WalkThroughApi(std::span<HeapRange> ranges, ObjectInspector& inspector, uint32_t first_range = 0);

  // Headers only: fills types and counts, but for the edges, and writes nothing. Walk finds the same objects.
  WalkReport Count(std::span<HeapRange> ranges);
  // After Count, before Walk: see TypeTable::Renumber.
  void Renumber(std::span<const uint32_t> order) { types_.Renumber(order); }

  // Types met so far, by walker id, the Free pseudo type among them.
  std::span<WalkedType> Types() { return types_.Types(); }
  // The same while another process walks: with the counts that Types found when it was last called.
  std::span<WalkedType> TypesAsCounted() const { return types_.TypesAsCounted(); }
  // What the delegates met so far point to.
  const CodeTable& Code() const { return code_; }
  // What the chunk that found no room would have needed.
  uint64_t BytesMissing() const { return spool_.BytesMissing(); }

 private:
  WalkFault WalkRange(HeapRange& range, WalkProblem& problem);

  LayoutPolicy layout_;
  TypeTable types_;
  SpoolWriter spool_;
  CodeTable code_;
  bool through_api_ = false;
};

}  // namespace cairn::collector
