#pragma once
// Reads an object's slots again from its chunks, nulls included: which slot an edge is in is not kept in the graph.
// Thread rule: one thread. Ownership: observes graph and source. Keeps the chunk it read last.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "viewer/analysis/chunk_source.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/referrers.h"

namespace cairn::analysis {

struct ObjectSlots {
  uint64_t length = 0;            // components; 0 for types of fixed size
  uint64_t total = 0;             // slots of the object
  std::vector<uint64_t> targets;  // addresses from slot 0 on, 0 for null; at most as many as asked for
};

class SlotReader {
 public:
  SlotReader(const HeapGraph& graph, const ChunkSource& source) : graph_(graph), source_(source) {}

  Result<ObjectSlots> Read(ObjectIndex object, uint64_t limit);
  // Values, hash and text as far as they are kept; valid until the next call. Complexity: as Read.
  Result<stream::ObjectContents> Contents(ObjectIndex object);
  // The slot number of an edge of kind kSlot. Complexity: linear in the slots of the chunk it is in; for one edge of
  // an object after the other, in their order, linear in the slots of the object.
  Result<uint64_t> SlotOf(const EdgeRef& edge);
  Result<std::vector<snapshot::Field>> Fields(TypeIndex type);

  // The same, where it follows from the counts: no slot of the object is null.
  static std::optional<uint64_t> SlotWithoutReading(const HeapGraph& graph, const EdgeRef& edge);
  // Of an object with so many slots that are not null.
  static std::optional<uint64_t> SlotWithoutReading(const stream::TypeLayout& layout, uint64_t filled,
                                                    uint64_t ordinal) {
    return !layout.HasLength() && filled == layout.fixed_slots ? std::optional(ordinal) : std::nullopt;
  }

 private:
  Status Open();
  Status Load(size_t chunk);
  Status LoadMap(size_t chunk);
  size_t ChunkOf(ObjectIndex object) const;
  bool Continues(size_t chunk, ObjectIndex object) const;
  Result<std::optional<uint64_t>> FindHere(const EdgeRef& edge);

  // Where the search for slots of an object stands: before slot `at` of its part of `chunk`, which is behind
  // `ordinal` edges.
  struct Place {
    ObjectIndex source;
    size_t chunk = 0;
    uint32_t at = 0;
    uint64_t ordinal = 0;
  };

  const HeapGraph& graph_;
  const ChunkSource& source_;
  std::unique_ptr<ChunkCursor> cursor_;
  std::optional<size_t> loaded_;
  stream::DecodedChunk decoded_;
  std::optional<size_t> mapped_;
  stream::SlotMap map_;
  Place place_;
  std::optional<size_t> contents_of_;
  stream::DecodedContents contents_;
};

// The slots of many edges, on several threads; each chunk is read about once.
// Complexity: at worst one decoding of every chunk for each 32,768 edges.
Result<std::vector<uint64_t>> SlotsOf(const HeapGraph& graph, const ChunkSource& source, std::span<const EdgeRef> edges,
                                      unsigned threads, Work& work);

}  // namespace cairn::analysis
