// Objects put together by the shape of their shortest path: what a fingerprint stands for.

#include "viewer/analysis/fingerprint.h"
#include "viewer/session/dominance.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::session {

using analysis::HeapGraph;
using analysis::HolderNode;
using analysis::HolderTree;
using analysis::PathShapes;
using analysis::Work;

namespace {

std::vector<PathGroup> Groups(const HolderTree& tree, const PathShapes& shapes) {
  std::vector<PathGroup> groups(shapes.Shapes().size());
  for (uint32_t node = 0; node < tree.Nodes().size(); ++node) {
    const HolderNode& holder = tree.Nodes()[node];
    if (holder.count == 0) continue;
    PathGroup& group = groups[shapes.ShapeOf(node)];
    if (group.objects == 0) {
      group.example = holder.example;
      group.type = holder.type;
    }
    group.objects += holder.count;
    group.bytes += holder.bytes;
  }
  for (uint32_t shape = 0; shape < groups.size(); ++shape) {
    groups[shape].fingerprint = shapes.Fingerprint(shape);
    groups[shape].path = shapes.PathText(shape);
    groups[shape].parent = shapes.Shapes()[shape].parent;
  }
  return groups;
}

void FillRetained(std::vector<PathGroup>& groups, const HeapGraph& graph, const Dominance& dominance,
                  const HolderTree& tree, const PathShapes& shapes, const std::vector<bool>& types) {
  const auto retained =
      RetainedUnions(dominance.tree, dominance.sizes, groups.size() + 1, [&](ObjectIndex object) -> size_t {
        const bool counts = types.empty() || types[graph.TypeOf(object).value];
        return counts ? shapes.ShapeOf(tree.NodeOf(object)) : groups.size();
      });
  for (size_t i = 0; i < groups.size(); ++i) groups[i].retained = retained[i];
}

}  // namespace

Result<std::vector<PathGroup>> SnapshotSession::PathGroups(const std::vector<bool>& types, Work& work) {
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto paths = ShortestPaths(work);
  if (!paths) return tl::make_unexpected(paths.error());
  const auto dominance = Dominators(work);
  if (!dominance) return tl::make_unexpected(dominance.error());
  const auto wanted = [&](ObjectIndex object) {
    return (*paths)->IsReachable(object) && (types.empty() || types[(*graph)->TypeOf(object).value]);
  };
  const auto tree = HolderTree::Build(**graph, *source_, **paths, wanted, threads_, work);
  if (!tree) return tl::make_unexpected(tree.error());
  analysis::FieldNames names(**graph, *source_);
  const auto shapes = PathShapes::Build(*tree, **graph, names);
  if (!shapes) return tl::make_unexpected(shapes.error());
  auto groups = session::Groups(*tree, *shapes);
  FillRetained(groups, **graph, **dominance, *tree, *shapes, types);
  return groups;
}

}  // namespace cairn::session
