#pragma once
// The roots of a snapshot as nodes of a .gcdump: `[.NET Roots]` → `[static vars]` → `[static var Shop.Cache.Instance]`
// → the object. Node 0 is the root of all.
// Thread rule: built once.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "viewer/analysis/heap_graph.h"

namespace cairn::convert {

struct RootNode {
  std::string name;
  std::vector<uint32_t> nodes;                   // other root nodes
  std::vector<analysis::ObjectIndex> objects{};  // that it refers to
};

std::vector<RootNode> MakeRootNodes(const analysis::HeapGraph& graph);

}  // namespace cairn::convert
