#include "viewer/presentation/allocations/allocation_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/quantity.h"

namespace cairn::presentation {

namespace {

using snapshot::AllocationTotal;
using snapshot::Sampling;

constexpr const char* kRest = "(others)";

// From the type outwards: the type, the method that allocated, its caller … A method that calls itself is one step.
std::vector<std::string> StepsOf(const Sampling& sampling, const AllocationTotal& total, size_t most) {
  std::vector<std::string> steps = {total.type};
  for (std::string& name : FramesOf(sampling, total.stack)) {
    if (steps.size() > 1 && steps.back() == name) continue;
    if (steps.size() == most) break;
    steps.push_back(std::move(name));
  }
  return steps;
}

class GraphMaker {
 public:
  GraphMaker(const Sampling& sampling, size_t columns, size_t nodes) : most_nodes_(nodes) {
    for (const AllocationTotal& total : sampling.totals) {
      ways_.push_back({StepsOf(sampling, total, std::max<size_t>(columns, 2)), total.bytes, total.samples});
      graph_.columns = std::max(graph_.columns, ways_.back().steps.size());
      graph_.bytes += total.bytes;
    }
  }

  AllocationGraph Make() {
    for (size_t column = 0; column < graph_.columns; ++column) AddColumn(column);
    AddLinks();
    return std::move(graph_);
  }

 private:
  struct Way {
    std::vector<std::string> steps;  // from the right
    uint64_t bytes = 0, samples = 0;
  };

  size_t DistanceOf(size_t column) const { return graph_.columns - 1 - column; }

  void AddColumn(size_t column) {
    std::map<std::string, GraphNode> by_name;
    for (const Way& way : ways_) {
      if (DistanceOf(column) >= way.steps.size()) continue;
      GraphNode& node = by_name[way.steps[DistanceOf(column)]];
      node.bytes += way.bytes;
      node.samples += way.samples;
    }
    std::vector<GraphNode> nodes;
    for (auto& [name, node] : by_name) nodes.push_back({name, node.bytes, node.samples, column, false});
    std::ranges::stable_sort(nodes, std::greater(), &GraphNode::bytes);
    GraphNode rest{kRest, 0, 0, column, true};
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (i + 1 < most_nodes_ || nodes.size() <= most_nodes_) {
        place_of_[{column, nodes[i].name}] = graph_.nodes.size();
        graph_.nodes.push_back(std::move(nodes[i]));
      } else {
        rest.bytes += nodes[i].bytes;
        rest.samples += nodes[i].samples;
      }
    }
    rest_of_.push_back(graph_.nodes.size());
    if (rest.bytes > 0) graph_.nodes.push_back(std::move(rest));
  }

  size_t NodeOf(size_t column, const std::string& name) const {
    const auto at = place_of_.find({column, name});
    return at == place_of_.end() ? rest_of_[column] : at->second;
  }

  void AddLinks() {
    std::map<std::pair<size_t, size_t>, uint64_t> sums;
    for (const Way& way : ways_)
      for (size_t step = 1; step < way.steps.size() && way.bytes > 0; ++step) {
        const size_t column = DistanceOf(step);
        sums[{NodeOf(column, way.steps[step]), NodeOf(column + 1, way.steps[step - 1])}] += way.bytes;
      }
    for (const auto& [ends, bytes] : sums) graph_.links.push_back({ends.first, ends.second, bytes});
    std::ranges::stable_sort(graph_.links, std::greater(), &GraphLink::bytes);
  }

  size_t most_nodes_;
  std::vector<Way> ways_;
  std::map<std::pair<size_t, std::string>, size_t> place_of_;
  std::vector<size_t> rest_of_;  // by column
  AllocationGraph graph_;
};

std::string BytesAndShare(const AllocationGraph& graph, uint64_t bytes) {
  return fmt::format("{} bytes ({})", GroupedCount(bytes), Percentage(bytes, graph.bytes));
}

// Marks all that links lead to from what is marked, one column after the other.
void Spread(const AllocationGraph& graph, size_t start, bool forward, std::vector<bool>& marked) {
  std::vector<size_t> open = {start};
  std::vector<bool> seen(graph.nodes.size());
  while (!open.empty()) {
    const size_t node = open.back();
    open.pop_back();
    if (seen[node]) continue;
    seen[node] = marked[node] = true;
    for (const GraphLink& link : graph.links)
      if ((forward ? link.from : link.to) == node) open.push_back(forward ? link.to : link.from);
  }
}

}  // namespace

AllocationGraph AllocationGraphOf(const Sampling& sampling, size_t columns, size_t nodes) {
  return GraphMaker(sampling, columns, std::max<size_t>(nodes, 1)).Make();
}

std::string NodeWords(const AllocationGraph& graph, size_t node) {
  const GraphNode& of = graph.nodes.at(node);
  return fmt::format("{}\n{}, {} samples", of.name, BytesAndShare(graph, of.bytes), of.samples);
}

std::string LinkWords(const AllocationGraph& graph, size_t link) {
  const GraphLink& of = graph.links.at(link);
  return fmt::format("{} → {}\n{}", graph.nodes[of.from].name, graph.nodes[of.to].name, BytesAndShare(graph, of.bytes));
}

std::vector<bool> ConnectedTo(const AllocationGraph& graph, size_t node) {
  std::vector<bool> marked(graph.nodes.size());
  Spread(graph, node, true, marked);
  Spread(graph, node, false, marked);
  return marked;
}

std::optional<size_t> MainNeighbour(const AllocationGraph& graph, size_t node, bool forward) {
  for (const GraphLink& link : graph.links)
    if ((forward ? link.from : link.to) == node) return forward ? link.to : link.from;
  return std::nullopt;
}

}  // namespace cairn::presentation
