#pragma once
// Builds a HeapGraph: one parallel pass over the chunks finds the objects and keeps each chunk's targets as
// addresses; when every object is known, a second parallel pass over those turns them into indices.
// Thread rule: one thread calls Run. Used by HeapGraph::Build only.

#include <cstdint>
#include <memory>
#include <vector>

#include "viewer/analysis/heap_graph.h"

namespace cairn::analysis {

class GraphBuilder {
 public:
  GraphBuilder(const ChunkSource& source, Work& work, unsigned threads, HeapGraph& graph)
      : source_(source), summary_(source.GetSummary()), work_(work), threads_(threads), graph_(graph) {}
  Status Run();

 private:
  // What the first pass keeps of a chunk.
  struct ChunkEdges {
    FlatArray<uint64_t> targets;  // addresses, nulls dropped; the continued array's first
    uint64_t continued_from = 0;  // edges of the continued array in earlier chunks
    std::vector<ListedSize> sizes;
    std::vector<uint64_t> unresolved;
  };

  Status CheckSource();
  Status ReadObjects();
  Status ReadChunk(size_t chunk, const stream::DecodedChunk& decoded);
  void KeepTargets(size_t chunk, const stream::DecodedChunk& decoded);
  void KeepSizes(size_t chunk, const stream::DecodedChunk& decoded);
  Status IndexObjects();
  Status PlaceEdges();
  uint64_t PlaceChunkEdges(size_t chunk, uint64_t offset);
  Status ResolveTargets();
  Status ResolveChunk(size_t chunk);
  uint64_t ResolveRun(ChunkEdges& edges, uint32_t& from, uint64_t count, ObjectIndex self, uint64_t at, uint32_t& hint);
  void WriteImplied(ObjectIndex object, uint64_t at);
  tl::unexpected<Error> Damaged(size_t chunk, const char* what) const;

  const ChunkSource& source_;
  const snapshot::Summary& summary_;
  Work& work_;
  const unsigned threads_;
  HeapGraph& graph_;
  std::vector<ChunkEdges> edges_;
};

}  // namespace cairn::analysis
