#pragma once
// A depth-first spanning tree of what is reachable, under one virtual root whose successors are the roots in
// order. Vertices are numbered in preorder; 0 is the virtual root. Edges outside the tree are kept as the
// sources of each target, which is what Semi-NCA needs; tree edges are known by the parent.

#include <cstdint>

#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/work.h"

namespace cairn::analysis {

// `Offset` is wide enough to count all edges.
template <class Offset>
struct SpanningTree {
  struct Vertex {
    uint32_t parent = 0;      // preorder number
    Offset first_source = 0;  // its sources end where those of the next vertex start
  };

  uint32_t count = 0;           // vertices, the virtual root included
  FlatArray<uint32_t> numbers;  // preorder numbers by object; 0 when not reachable
  FlatArray<Vertex> vertices;   // by preorder number, and one more
  FlatArray<uint32_t> sources;  // preorder numbers; by target
};

// Complexity: linear in objects and edges. Depth is bounded by memory, not by the call stack.
template <class Offset>
Result<SpanningTree<Offset>> DepthFirst(const HeapGraph& graph, Work& work);

extern template Result<SpanningTree<uint32_t>> DepthFirst(const HeapGraph&, Work&);
extern template Result<SpanningTree<uint64_t>> DepthFirst(const HeapGraph&, Work&);

}  // namespace cairn::analysis
