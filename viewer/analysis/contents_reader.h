#pragma once
// Reads what is known of single objects' contents: values, hash, text.
// Thread rule: one thread. Ownership: observes graph and source. Keeps the chunk it read last.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "viewer/analysis/chunk_source.h"
#include "viewer/analysis/heap_graph.h"

namespace cairn::analysis {

class ContentsReader {
 public:
  ContentsReader(const HeapGraph& graph, const ChunkSource& source) : graph_(graph), source_(source) {}

  // Valid until the next call. Complexity: one decoding of its chunk, where that is not the last one's.
  Result<stream::ObjectContents> Read(ObjectIndex object);
  // Which of the values of a type's objects is that of the field; nothing where it is not kept.
  Result<std::optional<uint32_t>> ValueOf(TypeIndex type, std::string_view field);
  // Valid as long as the reader.
  Result<const std::vector<snapshot::Field>*> FieldsOf(TypeIndex type);

 private:
  Status Open();

  const HeapGraph& graph_;
  const ChunkSource& source_;
  std::unique_ptr<ChunkCursor> cursor_;
  std::optional<size_t> loaded_;
  stream::DecodedChunk objects_;
  stream::DecodedContents contents_;
  std::unordered_map<uint32_t, std::vector<snapshot::Field>> fields_;  // by type
};

}  // namespace cairn::analysis
