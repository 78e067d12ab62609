#include "viewer/session/waste_answer.h"

#include <algorithm>
#include <map>

#include "viewer/analysis/field_names.h"
#include "viewer/analysis/fingerprint.h"
#include "viewer/analysis/shortest_paths.h"
#include "viewer/analysis/slot_reader.h"

namespace cairn::session {
namespace {

using analysis::EdgeRef;
using analysis::HeapGraph;
using analysis::Work;

constexpr size_t kHolders = 3;

// The reference by which one copy is held, and whose it is.
struct HeldCopy {
  size_t duplicate = 0;
  EdgeRef edge;

  bool operator<(const HeldCopy& other) const { return edge < other.edge; }
};

class HolderFinder {
 public:
  HolderFinder(SnapshotSession& session, const HeapGraph& graph, const analysis::ShortestPaths& paths)
      : session_(session), graph_(graph), paths_(paths), names_(graph, session.Source()) {}

  Result<std::vector<std::vector<std::string>>> Find(const std::vector<analysis::dotnet::Duplicate>& duplicates,
                                                     size_t count, Work& work) {
    counts_.resize(count);
    for (size_t i = 0; i < count; ++i)
      for (const ObjectIndex copy : duplicates[i].examples) AddCopy(i, copy);
    CAIRN_TRY(NameEdges(work));
    std::vector<std::vector<std::string>> holders;
    for (const auto& names : counts_) holders.push_back(MostFrequent(names));
    return holders;
  }

 private:
  void AddCopy(size_t duplicate, ObjectIndex copy) {
    const ObjectIndex holder = paths_.ParentOf(copy);
    if (!holder.Valid()) {
      ++counts_[duplicate][RootName(copy)];
      return;
    }
    const EdgeRef edge{holder, analysis::ShortestPaths::OrdinalOf(graph_, holder, copy)};
    if (graph_.KindOf(edge.source, edge.ordinal) == analysis::EdgeKind::kSlot)
      edges_.push_back({duplicate, edge});
    else
      ++counts_[duplicate][analysis::kDependentName];
  }

  std::string RootName(ObjectIndex object) const {
    const analysis::RootIndex index = paths_.RootOf(object);
    if (!index.Valid()) return "(nothing)";
    const analysis::ResolvedRoot& root = graph_.Roots().Followed()[index.value];
    const std::string perhaps = analysis::IsCertain(graph_.GetSummary(), root) ? "" : " (perhaps)";
    const std::string kind = snapshot::RootKindName(root.kind) + perhaps;
    if (root.source == snapshot::kNoId) return kind;
    const std::string& name = graph_.GetSummary().roots[root.source].name;
    return name.empty() ? kind : kind + " " + name;
  }

  // All at once, so that each chunk is read once.
  Status NameEdges(Work& work) {
    std::sort(edges_.begin(), edges_.end());
    std::vector<EdgeRef> edges;
    for (const HeldCopy& copy : edges_) edges.push_back(copy.edge);
    const auto slots = analysis::SlotsOf(graph_, session_.Source(), edges, session_.Threads(), work);
    if (!slots) return tl::make_unexpected(slots.error());
    for (size_t i = 0; i < edges.size(); ++i) {
      const TypeIndex type = graph_.TypeOf(edges[i].source);
      const auto field = names_.NameOf(type, (*slots)[i]);
      if (!field) return tl::make_unexpected(field.error());
      ++counts_[edges_[i].duplicate][HolderName(graph_.GetSummary().types[type.value].name, *field)];
    }
    return {};
  }

  static std::string HolderName(const std::string& type, const std::string& field) {
    if (!field.starts_with('[')) return type + "." + field;
    const std::string of_element = field.substr(field.find(']') + 1);  // "[3].Key"
    return of_element.empty() ? "elements of " + type : type + of_element;
  }

  static std::vector<std::string> MostFrequent(const std::map<std::string, uint64_t>& counts) {
    std::vector<std::pair<uint64_t, std::string>> ranked;
    for (const auto& [name, count] : counts) ranked.emplace_back(count, name);
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> names;
    for (size_t i = 0; i < std::min(ranked.size(), kHolders); ++i) names.push_back(ranked[i].second);
    return names;
  }

  SnapshotSession& session_;
  const HeapGraph& graph_;
  const analysis::ShortestPaths& paths_;
  analysis::FieldNames names_;
  std::vector<HeldCopy> edges_;
  std::vector<std::map<std::string, uint64_t>> counts_;  // by duplicate
};

}  // namespace

Result<WasteAnswer> FindWaste(SnapshotSession& session, uint64_t with_holders, Work& work) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto reached = session.Reached(work);
  if (!reached) return tl::make_unexpected(reached.error());
  auto waste = analysis::dotnet::FindWaste(**graph, session.Source(), **reached, work);
  if (!waste) return tl::make_unexpected(std::move(waste).error());
  WasteAnswer answer{std::move(*waste), {}};
  const size_t count = std::min<uint64_t>(with_holders, answer.waste.duplicates.size());
  if (count == 0) return answer;
  const auto paths = session.ShortestPaths(work);
  if (!paths) return tl::make_unexpected(paths.error());
  auto holders = HolderFinder(session, **graph, **paths).Find(answer.waste.duplicates, count, work);
  if (!holders) return tl::make_unexpected(std::move(holders).error());
  answer.holders = std::move(*holders);
  return answer;
}

}  // namespace cairn::session
