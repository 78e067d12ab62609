#include "viewer/presentation/allocations/flame_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/quantity.h"

namespace cairn::presentation {

namespace {

using snapshot::AllocationTotal;
using snapshot::Sampling;

struct Node {
  std::map<std::string, Node> children;
  uint64_t bytes = 0, samples = 0;
  bool is_type = false;

  void Add(const AllocationTotal& total) {
    bytes += total.bytes;
    samples += total.samples;
  }
};

Node TreeOf(const Sampling& sampling) {
  Node root;
  for (const AllocationTotal& total : sampling.totals) {
    Node* node = &root;
    node->Add(total);
    for (const std::string& name : FlamePathOf(sampling, total)) {
      node = &node->children[name];
      node->Add(total);
    }
    node->is_type = true;
  }
  return root;
}

// As deep as stacks are kept, and one more.
void AddBoxes(const Node& node, uint64_t start, uint32_t level, std::optional<size_t> parent, FlameGraph& graph) {
  for (const auto& [name, child] : node.children) {
    const size_t box = graph.boxes.size();
    graph.boxes.push_back({name, start, child.bytes, child.samples, level, child.is_type, parent});
    graph.levels = std::max(graph.levels, level + 1);
    AddBoxes(child, start, level + 1, box, graph);
    start += child.bytes;
  }
}

}  // namespace

std::vector<std::string> FlamePathOf(const Sampling& sampling, const AllocationTotal& total) {
  std::vector<std::string> path = FramesOf(sampling, total.stack);
  std::ranges::reverse(path);
  path.push_back(total.type);
  return path;
}

FlameGraph FlameGraphOf(const Sampling& sampling) {
  FlameGraph graph;
  const Node root = TreeOf(sampling);
  graph.bytes = root.bytes;
  AddBoxes(root, 0, 0, std::nullopt, graph);
  return graph;
}

std::string FlameWords(const FlameGraph& graph, size_t box) {
  const FlameBox& of = graph.boxes.at(box);
  return fmt::format("{}\n{} bytes ({}), {} samples", of.name, GroupedCount(of.bytes),
                     Percentage(of.bytes, graph.bytes), of.samples);
}

std::optional<size_t> CalleeOf(const FlameGraph& graph, size_t box) {
  std::optional<size_t> most;
  for (size_t i = box + 1; i < graph.boxes.size() && graph.boxes[i].level > graph.boxes[box].level; ++i)
    if (graph.boxes[i].parent == box && (!most || graph.boxes[i].bytes > graph.boxes[*most].bytes)) most = i;
  return most;
}

std::optional<size_t> SiblingOf(const FlameGraph& graph, size_t box, bool next) {
  std::optional<size_t> before;
  bool seen = false;
  for (size_t i = 0; i < graph.boxes.size(); ++i) {
    if (graph.boxes[i].parent != graph.boxes[box].parent) continue;
    if (seen) return i;
    if (i == box && !next) return before;
    seen = i == box;
    before = i;
  }
  return std::nullopt;
}

bool IsWithin(const FlameGraph& graph, size_t box, size_t other) {
  std::optional<size_t> at = box;
  while (at && *at > other) at = graph.boxes[*at].parent;
  return at == other;
}

}  // namespace cairn::presentation
