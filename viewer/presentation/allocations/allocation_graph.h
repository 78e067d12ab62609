#pragma once
// Who made what, as columns from left to right: callers, those that they call, the methods that allocate, and last the
// types that were allocated. Bytes flow from column to column; a method that stands at several distances from what it
// makes has a node in each of these columns, so that there is no circle.
// Thread rule: pure functions. Complexity: linear in the frames of all stacks, times the logarithm of their names.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"

namespace cairn::presentation {

struct GraphNode {
  std::string name;
  uint64_t bytes = 0, samples = 0;
  size_t column = 0;     // the last one: types
  bool is_rest = false;  // all of its column that have no node of their own
};

struct GraphLink {
  size_t from = 0, to = 0;  // nodes
  uint64_t bytes = 0;
};

struct AllocationGraph {
  std::vector<GraphNode> nodes;  // by column, the largest first
  std::vector<GraphLink> links;  // the largest first
  size_t columns = 0;
  uint64_t bytes = 0;  // of all

  bool IsType(size_t node) const { return nodes[node].column + 1 == columns && !nodes[node].is_rest; }
};

inline constexpr size_t kMostGraphColumns = 6, kMostGraphNodes = 18;

// At most `columns` (2 at least), and `nodes` in each.
AllocationGraph AllocationGraphOf(const snapshot::Sampling& sampling, size_t columns = kMostGraphColumns,
                                  size_t nodes = kMostGraphNodes);

// "Shop.Cache.Add\n900,000 bytes (56.2 %), 9 samples".
std::string NodeWords(const AllocationGraph& graph, size_t node);
// "Shop.Cache.Add → Shop.Order\n900,000 bytes (56.2 %)".
std::string LinkWords(const AllocationGraph& graph, size_t link);

// What lies on a way through the node, itself included: by node.
std::vector<bool> ConnectedTo(const AllocationGraph& graph, size_t node);
// Where most of its bytes go to (`forward`), or come from.
std::optional<size_t> MainNeighbour(const AllocationGraph& graph, size_t node, bool forward);

}  // namespace cairn::presentation
