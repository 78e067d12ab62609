#pragma once
// A depth-first spanning tree of what is reachable, under one virtual root whose successors are the roots in
// order. Vertices are numbered in preorder; 0 is the virtual root. Edges outside the tree are kept as lists
// of sources per target, which is what Semi-NCA needs; tree edges are known by the parent.

#include <cstdint>

#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/work.h"

namespace cairn::analysis {

// `Link` is wide enough to count all edges.
template <class Link>
struct SpanningTree {
  struct Vertex {
    uint32_t parent = 0;  // preorder number
    Link sources = 0;     // first of its list in `cross`, counted from 1; 0 for none
  };
  struct CrossEdge {
    uint32_t source = 0;  // preorder number
    Link next = 0;        // as Vertex::sources
  };

  uint32_t count = 0;              // vertices, the virtual root included
  FlatArray<ObjectIndex> objects;  // by preorder number
  FlatArray<Vertex> vertices;      // by preorder number
  FlatStack<CrossEdge> cross;
};

// Complexity: linear in objects and edges. Depth is bounded by memory, not by the call stack.
template <class Link>
Result<SpanningTree<Link>> DepthFirst(const HeapGraph& graph, Work& work);

extern template Result<SpanningTree<uint32_t>> DepthFirst(const HeapGraph&, Work&);
extern template Result<SpanningTree<uint64_t>> DepthFirst(const HeapGraph&, Work&);

}  // namespace cairn::analysis
