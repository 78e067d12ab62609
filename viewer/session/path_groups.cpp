// Objects put together by the shape of their shortest path: what a fingerprint stands for.

#include "viewer/analysis/fingerprint.h"
#include "viewer/session/ahead.h"
#include "viewer/session/dominance.h"
#include "viewer/session/lazy.h"
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

// Objects by the shape of their shortest path, before anything is summed.
struct Shaped {
  const HeapGraph* graph = nullptr;
  const Dominance* dominance = nullptr;
  HolderTree tree;
  PathShapes shapes;
};

Result<Shaped> Shape(SnapshotSession& session, const std::function<bool(ObjectIndex)>& wanted, Work& work) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  // Half of the way needs dominators only, the other half paths only.
  const Ahead dominators(session.Threads(), [&session](Work& ahead) { return session.Dominators(ahead); });
  const auto paths = session.ShortestPaths(work);
  if (!paths) return tl::make_unexpected(paths.error());
  const auto is_wanted = [&](ObjectIndex object) { return (*paths)->IsReachable(object) && wanted(object); };
  auto tree = HolderTree::Build(**graph, session.Source(), **paths, is_wanted, session.Threads(), work);
  if (!tree) return tl::make_unexpected(std::move(tree).error());
  analysis::FieldNames names(**graph, session.Source());
  auto shapes = PathShapes::Build(*tree, **graph, names);
  if (!shapes) return tl::make_unexpected(std::move(shapes).error());
  const auto dominance = session.Dominators(work);
  if (!dominance) return tl::make_unexpected(dominance.error());
  return Shaped{*graph, *dominance, std::move(*tree), std::move(*shapes)};
}

void FillRetained(std::vector<PathGroup>& groups, const Shaped& shaped,
                  const std::function<bool(ObjectIndex)>& wanted) {
  const auto group_of = [&](ObjectIndex object) -> size_t {
    return wanted(object) ? shaped.shapes.ShapeOf(shaped.tree.NodeOf(object)) : groups.size();
  };
  const auto retained = RetainedUnions(shaped.dominance->tree, shaped.dominance->sizes, groups.size() + 1, group_of);
  for (size_t i = 0; i < groups.size(); ++i) groups[i].retained = retained[i];
}

}  // namespace

Result<std::vector<PathGroup>> SnapshotSession::PathGroups(const std::vector<bool>& types, Work& work) {
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  return PathGroupsOf([&](ObjectIndex object) { return types.empty() || types[(*graph)->TypeOf(object).value]; }, work);
}

Result<std::vector<PathGroup>> SnapshotSession::PathGroupsOf(const std::function<bool(ObjectIndex)>& wanted,
                                                             Work& work) {
  const auto computing = lazy_->Computing();
  const auto shaped = Shape(*this, wanted, work);
  if (!shaped) return tl::make_unexpected(shaped.error());
  auto groups = session::Groups(shaped->tree, shaped->shapes);
  FillRetained(groups, *shaped, wanted);
  return groups;
}

Result<std::vector<bool>> SnapshotSession::ObjectsOfPath(const std::string& fingerprint, const std::vector<bool>& types,
                                                         Work& work) {
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto wanted = [&](ObjectIndex object) { return types.empty() || types[(*graph)->TypeOf(object).value]; };
  const auto computing = lazy_->Computing();
  const auto shaped = Shape(*this, wanted, work);
  if (!shaped) return tl::make_unexpected(shaped.error());
  std::vector<bool> is_shape(shaped->shapes.Shapes().size()), found((*graph)->ObjectCount());
  for (uint32_t shape = 0; shape < is_shape.size(); ++shape)
    is_shape[shape] = shaped->shapes.Fingerprint(shape) == fingerprint;
  for (uint32_t i = 0; i < found.size(); ++i) {
    const ObjectIndex object(i);
    if (shaped->dominance->tree.IsReachable(object) && wanted(object))
      found[i] = is_shape[shaped->shapes.ShapeOf(shaped->tree.NodeOf(object))];
  }
  return found;
}

Result<uint64_t> SnapshotSession::RetainedByPaths(const std::set<std::string>& fingerprints, Work& work) {
  const auto all = [](ObjectIndex) { return true; };
  const auto computing = lazy_->Computing();
  const auto shaped = Shape(*this, all, work);
  if (!shaped) return tl::make_unexpected(shaped.error());
  std::vector<bool> counts(shaped->shapes.Shapes().size());
  for (uint32_t shape = 0; shape < counts.size(); ++shape)
    counts[shape] = fingerprints.contains(shaped->shapes.Fingerprint(shape));
  const auto part = [&](ObjectIndex object) -> size_t {
    return counts[shaped->shapes.ShapeOf(shaped->tree.NodeOf(object))] ? 0 : 1;
  };
  return RetainedUnions(shaped->dominance->tree, shaped->dominance->sizes, 2, part)[0];
}

}  // namespace cairn::session
