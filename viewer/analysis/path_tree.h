#pragma once
// Who holds the objects of a type: their shortest paths merged into one tree with counts. Paths are equal when
// root kinds, certainty and names, types and fields are; array indices do not count, and a step that repeats the one
// before it (the nodes of a list) is one step. Thread rule: built once; then reads from any thread.

#include <cstdint>
#include <functional>
#include <vector>

#include "viewer/analysis/chunk_source.h"
#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/indices.h"
#include "viewer/analysis/shortest_paths.h"
#include "viewer/analysis/work.h"

namespace cairn::analysis {

// Fields of a step beside the numbers of FieldNames::FieldOfSlot.
inline constexpr uint32_t kRootField = 0xFFFFFFFF;
inline constexpr uint32_t kLoaderAllocatorField = 0xFFFFFFFE;
inline constexpr uint32_t kDependentField = 0xFFFFFFFD;
// Of a type whose references are known, but not by which fields.
inline constexpr uint32_t kUnnamedField = 0xFFFFFFFC;

struct HolderNode {
  static constexpr uint32_t kNoNode = 0xFFFFFFFF;

  uint32_t parent = kNoNode;  // smaller than its own number; none for a root
  RootIndex root;             // of a root node: one of the merged ones
  TypeIndex type;             // of a step: none for a root node
  uint32_t field = kRootField;
  uint64_t count = 0, bytes = 0;  // objects asked for whose paths end here
  uint64_t below = 0;             // those and the ones further on
  ObjectIndex example;            // the first in path order whose path ends here
};

class HolderTree {
 public:
  using IsWanted = std::function<bool(ObjectIndex)>;

  // Complexity: linear in objects; reads the chunks again whose field names do not follow from the graph.
  static Result<HolderTree> Build(const HeapGraph& graph, const ChunkSource& source, const ShortestPaths& paths,
                                  const IsWanted& wanted, unsigned threads, Work& work);

  const std::vector<HolderNode>& Nodes() const { return nodes_; }
  // Nodes where paths end: most objects first, among equals in path order.
  std::vector<uint32_t> Ends() const;
  // Of a wanted object, or one on the path to one: where its path ends.
  uint32_t NodeOf(ObjectIndex object) const { return node_of_[object.value]; }

 private:
  friend class HolderTreeBuilder;
  std::vector<HolderNode> nodes_;
  FlatArray<uint32_t> node_of_;  // by object
};

}  // namespace cairn::analysis
