// Roots, and paths from them.

#include <algorithm>

#include "viewer/analysis/dotnet/path_sense.h"
#include "viewer/analysis/dotnet/value_sense.h"
#include "viewer/analysis/field_names.h"
#include "viewer/analysis/path_tree.h"
#include "viewer/analysis/referrers.h"
#include "viewer/analysis/shortest_paths.h"
#include "viewer/session/dominance.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::session {

using analysis::HeapGraph;
using analysis::ObjectPath;
using analysis::Work;

namespace {

RootInfo Describe(const HeapGraph& graph, const analysis::ResolvedRoot& root) {
  const bool listed = root.source != snapshot::kNoId;
  return {root.kind, listed ? &graph.GetSummary().roots[root.source] : nullptr, root.object};
}

// Turns paths of objects into paths with names.
class PathDescriber {
 public:
  PathDescriber(const HeapGraph& graph, const analysis::ChunkSource& source, const Dominance* dominance,
                uint64_t max_steps)
      : graph_(graph),
        names_(graph, source),
        roles_(graph.GetSummary().types),
        values_(graph, source, roles_),
        dominance_(dominance),
        max_steps_(std::max<uint64_t>(max_steps, 2)) {}

  Result<RootPath> Describe(const ObjectPath& path) {
    RootPath result;
    result.root = session::Describe(graph_, graph_.Roots().Followed()[path.root.value]);
    const size_t size = path.objects.size();
    // What is left out is in the middle: both ends say more.
    const size_t head = size > max_steps_ ? max_steps_ / 2 : size;
    const size_t tail = size > max_steps_ ? size - (max_steps_ - head) : size;
    analysis::dotnet::PathSense sense(roles_);
    for (size_t i = 0; i < size; i = i + 1 == head ? tail : i + 1) {
      auto step = Step(path, i);
      if (!step) return tl::make_unexpected(std::move(step).error());
      if (i == tail && tail > head) sense.Skip();
      step->sense = sense.Next(step->type, step->field);
      CAIRN_TRY(AddValues(*step));
      result.steps.push_back(std::move(*step));
    }
    result.omitted = tail - head;
    result.omitted_after = result.omitted ? head : 0;
    return result;
  }

 private:
  Result<PathStep> Step(const ObjectPath& path, size_t i) {
    const ObjectIndex object = path.objects[i];
    PathStep step;
    step.object = object;
    step.address = graph_.AddressOf(object);
    step.type = graph_.TypeOf(object);
    step.bytes = graph_.SizeOf(object);
    if (dominance_) step.retained = dominance_->Retained(object);
    auto field = i == 0 ? RootName(path) : names_.NameOf(EdgeTo(path.objects[i - 1], object));
    if (!field) return tl::make_unexpected(std::move(field).error());
    step.field = std::move(*field);
    return step;
  }

  Status AddValues(PathStep& step) {
    const auto words = values_.Of(step.object);
    if (!words) return tl::make_unexpected(words.error());
    if (!words->empty()) step.sense += step.sense.empty() ? *words : ", " + *words;
    return {};
  }

  Result<std::string> RootName(const ObjectPath& path) const {
    return session::Describe(graph_, graph_.Roots().Followed()[path.root.value]).Name();
  }

  analysis::EdgeRef EdgeTo(ObjectIndex source, ObjectIndex target) const {
    return {source, analysis::ShortestPaths::OrdinalOf(graph_, source, target)};
  }

  const HeapGraph& graph_;
  analysis::FieldNames names_;
  analysis::dotnet::TypeRoles roles_;
  analysis::dotnet::ValueSense values_;
  const Dominance* dominance_;
  const uint64_t max_steps_;
};

bool Contains(const ObjectPath& path, ObjectIndex object) {
  return std::find(path.objects.begin(), path.objects.end(), object) != path.objects.end();
}

// Locals that only look like ones, if the object's path is not by such a one.
void AddGuesses(const HeapGraph& graph, ObjectIndex object, uint64_t limit, std::vector<ObjectPath>& found) {
  const auto roots = graph.Roots().Followed();
  if (!IsCertain(graph.GetSummary(), roots[found.front().root.value])) return;
  for (uint32_t i = 0; i < roots.size() && found.size() < limit; ++i)
    if (roots[i].object == object && !IsCertain(graph.GetSummary(), roots[i]))
      return found.push_back({analysis::RootIndex(i), {object}});
}

// The object's path, then the shortest ones by its other referrers that do not pass through it, nearest first, then a
// local that perhaps refers to it; at most `limit`, at least one.
Result<std::vector<ObjectPath>> PathsOfObject(const HeapGraph& graph, const analysis::ShortestPaths& paths,
                                              ObjectIndex object, uint64_t limit, unsigned threads, Work& work) {
  std::vector<ObjectPath> found;
  auto shortest = paths.PathTo(object);
  if (!shortest) return found;
  found.push_back(std::move(*shortest));
  if (limit <= 1) return found;
  const auto referrers = analysis::ReferrerSet::Find(graph, object, threads, work);
  if (!referrers) return tl::make_unexpected(referrers.error());
  const ObjectIndex parent = paths.ParentOf(object);
  // Mostly there are none, and then nothing needs to be walked.
  uint64_t left = 0;
  referrers->ForEach([&](ObjectIndex source) { left += source != parent && paths.IsReachable(source); });
  for (const ObjectIndex source : paths.InOrder()) {
    if (found.size() >= limit || left == 0) break;
    if (source == parent || !referrers->Contains(source)) continue;
    --left;
    auto path = paths.PathTo(source);
    if (Contains(*path, object)) continue;
    path->objects.push_back(object);
    found.push_back(std::move(*path));
  }
  AddGuesses(graph, object, limit, found);
  return found;
}

Result<RootPaths> AnswerForObject(const HeapGraph& graph, const analysis::ShortestPaths& paths,
                                  PathDescriber& describer, const PathRequest& request, unsigned threads, Work& work) {
  const ObjectIndex object = *request.object;
  if (object.value >= graph.ObjectCount())
    return Fail(ErrorKind::kFailed, "object.missing",
                "there is no object @" + std::to_string(object.value) + "; the snapshot has " +
                    std::to_string(graph.ObjectCount()) + ", from @0 on",
                "An index is valid within one file only.");
  const auto found = PathsOfObject(graph, paths, object, request.limit, threads, work);
  if (!found) return tl::make_unexpected(found.error());
  RootPaths answer;
  (found->empty() ? answer.unreachable : answer.objects) = 1;
  answer.total = found->size();
  for (const ObjectPath& path : *found) {
    auto described = describer.Describe(path);
    if (!described) return tl::make_unexpected(std::move(described).error());
    described->count = 1;
    described->bytes = graph.SizeOf(object);
    answer.paths.push_back(std::move(*described));
  }
  return answer;
}

Result<RootPaths> AnswerForTypes(const analysis::ShortestPaths& paths, PathDescriber& describer,
                                 const analysis::HolderTree& tree, uint64_t limit) {
  RootPaths answer;
  const auto ends = tree.Ends();
  answer.total = ends.size();
  for (const uint32_t end : ends) {
    const analysis::HolderNode& node = tree.Nodes()[end];
    answer.objects += node.count;
    if (answer.paths.size() >= limit) continue;
    auto described = describer.Describe(*paths.PathTo(node.example));
    if (!described) return tl::make_unexpected(std::move(described).error());
    described->count = node.count;
    described->bytes = node.bytes;
    answer.paths.push_back(std::move(*described));
  }
  return answer;
}

}  // namespace

Result<std::vector<RootKindRow>> SnapshotSession::RootsByKind(Work& work) {
  return Graph(work).map([](const HeapGraph* graph) {
    std::vector<RootKindRow> rows(stream::kRootKindCount);
    std::vector<std::vector<ObjectIndex>> objects(rows.size());
    for (const auto roots : {graph->Roots().Followed(), graph->Roots().Weak()})
      for (const analysis::ResolvedRoot& root : roots) {
        ++rows[static_cast<size_t>(root.kind)].roots;
        objects[static_cast<size_t>(root.kind)].push_back(root.object);
      }
    for (size_t kind = 0; kind < rows.size(); ++kind) {
      rows[kind].kind = static_cast<snapshot::RootKind>(kind);
      std::sort(objects[kind].begin(), objects[kind].end());
      objects[kind].erase(std::unique(objects[kind].begin(), objects[kind].end()), objects[kind].end());
      for (const ObjectIndex object : objects[kind]) rows[kind].targets += {1, graph->SizeOf(object)};
    }
    std::erase_if(rows, [](const RootKindRow& row) { return row.roots == 0; });
    return rows;
  });
}

Result<std::vector<RootInfo>> SnapshotSession::Roots(std::optional<snapshot::RootKind> kind, Work& work) {
  return Graph(work).map([&](const HeapGraph* graph) {
    std::vector<RootInfo> list;
    for (const auto roots : {graph->Roots().Followed(), graph->Roots().Weak()})
      for (const analysis::ResolvedRoot& root : roots)
        if (!kind || root.kind == *kind) list.push_back(Describe(*graph, root));
    return list;
  });
}

Result<RootPaths> SnapshotSession::Paths(const PathRequest& request, Work& work) {
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto paths = ShortestPaths(work);
  if (!paths) return tl::make_unexpected(paths.error());
  Result<const Dominance*> dominance = nullptr;
  if (request.with_retained) dominance = Dominators(work);
  if (!dominance) return tl::make_unexpected(dominance.error());
  PathDescriber describer(**graph, *source_, *dominance, request.max_steps);
  if (request.object) return AnswerForObject(**graph, **paths, describer, request, threads_, work);

  const auto wanted = [&](ObjectIndex object) {
    const uint32_t type = (*graph)->TypeOf(object).value;
    return type < request.types.size() && request.types[type];
  };
  const auto tree = analysis::HolderTree::Build(**graph, *source_, **paths, wanted, threads_, work);
  if (!tree) return tl::make_unexpected(tree.error());
  auto answer = AnswerForTypes(**paths, describer, *tree, request.limit);
  if (!answer) return answer;
  uint64_t all = 0;
  for (size_t type = 0; type < std::min(request.types.size(), GetSummary().types.size()); ++type)
    if (request.types[type]) all += GetSummary().types[type].objects;
  answer->unreachable = all - std::min(all, answer->objects);
  return answer;
}

}  // namespace cairn::session
