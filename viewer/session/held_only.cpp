#include "viewer/session/held_only.h"

#include <algorithm>
#include <string_view>

#include "viewer/analysis/field_names.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/reachability.h"
#include "viewer/analysis/slot_reader.h"

namespace cairn::session {
namespace {

using analysis::HeapGraph;
using analysis::Reachability;
using analysis::Stride;
using analysis::Work;
using snapshot::RootKind;

bool Contains(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

bool IsEventDelegate(const snapshot::Type& type) {
  const std::string_view name = std::string_view(type.name).substr(0, type.name.find('<'));
  return name.ends_with("EventHandler") && type.base == "System.MulticastDelegate";
}

// System.Threading.Timer, PeriodicTimer, Task.Delay and cancellation after a time all wait in one of these.
bool IsTimer(const snapshot::Type& type) { return type.name == "System.Threading.TimerQueueTimer"; }

bool IsCollection(const snapshot::Type& type) {
  const std::string_view name = type.name;
  return name.starts_with("System.Collections.") || name.ends_with("[]") ||
         name.starts_with("System.Runtime.CompilerServices.ConditionalWeakTable") ||
         Contains(name, "Microsoft.Extensions.Caching.Memory.MemoryCache");
}

std::vector<bool> TypesWhere(const snapshot::Summary& summary, bool (*is)(const snapshot::Type&)) {
  std::vector<bool> types(summary.types.size());
  for (size_t i = 0; i < types.size(); ++i) types[i] = is(summary.types[i]);
  return types;
}

// What can be reached from some roots without passing through some objects.
class Search {
 public:
  Search(const HeapGraph& graph, Work& work) : graph_(graph), work_(work), reached_(graph.ObjectCount()) {}

  template <class IsRoot, class IsRemoved>
  Status Run(IsRoot is_root, IsRemoved is_removed) {
    work_.Begin("following what else holds objects", graph_.ObjectCount());
    Stride stride(work_);
    for (const analysis::ResolvedRoot& root : graph_.Roots().Followed())
      if (is_root(root.kind) && !is_removed(root.object)) Reach(root.object);
    while (!waiting_.empty()) {
      const ObjectIndex object = waiting_.Top();
      waiting_.Pop();
      for (const ObjectIndex target : graph_.Targets(object))
        if (!reached_[target.value] && !is_removed(target)) Reach(target);
      if (!stride.Step()) return analysis::WasCancelled();
    }
    return {};
  }

  const std::vector<bool>& Reached() const { return reached_; }

 private:
  void Reach(ObjectIndex object) {
    if (reached_[object.value]) return;
    reached_[object.value] = true;
    waiting_.Push(object);
  }

  const HeapGraph& graph_;
  Work& work_;
  std::vector<bool> reached_;
  analysis::FlatStack<ObjectIndex> waiting_;
};

constexpr auto kAnyRoot = [](RootKind) { return true; };
constexpr auto kNoObject = [](ObjectIndex) { return false; };

bool IsDelegate(const snapshot::Type& type) { return type.base == "System.MulticastDelegate"; }

// An event's field bears the event's name, which begins with a capital letter; other fields and the compiler's own do
// not, and neither do elements. `name`: of a root or field, perhaps within a struct.
bool IsEventName(std::string_view name) {
  if (name.starts_with('[')) return false;
  if (const size_t dot = name.rfind('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
}

// The delegates of events, by object: of an event handler's type, or in a field or static that is an event's, of
// whatever delegate type; and the lists of multicast ones, which keep their delegates in an array of no type of its
// own.
class EventFinder {
 public:
  EventFinder(SnapshotSession& session, const HeapGraph& graph, Work& work)
      : session_(session),
        graph_(graph),
        work_(work),
        delegates_(TypesWhere(graph.GetSummary(), IsDelegate)),
        found_(graph.ObjectCount()) {}

  Result<std::vector<bool>> Find() {
    const auto handlers = TypesWhere(graph_.GetSummary(), IsEventDelegate);
    for (uint32_t i = 0; i < graph_.ObjectCount(); ++i) found_[i] = handlers[graph_.TypeOf(ObjectIndex(i)).value];
    AddRoots();
    CAIRN_TRY(AddFields());
    AddLists();
    return std::move(found_);
  }

 private:
  bool IsOfDelegate(ObjectIndex object) const { return delegates_[graph_.TypeOf(object).value]; }

  void AddRoots() {
    for (const analysis::ResolvedRoot& root : graph_.Roots().Followed()) {
      const bool is_static = root.kind == RootKind::kStatic || root.kind == RootKind::kThreadStatic;
      if (!is_static || root.source == snapshot::kNoId || !IsOfDelegate(root.object)) continue;
      if (IsEventName(graph_.GetSummary().roots[root.source].name)) found_[root.object.value] = true;
    }
  }

  // By type: whether one of its fields may be an event's.
  Result<std::vector<bool>> TypesWithEvents(analysis::FieldNames& names) const {
    std::vector<bool> types(delegates_.size());
    for (uint32_t i = 0; i < types.size(); ++i) {
      const snapshot::Type& type = graph_.GetSummary().types[i];
      if (delegates_[i] || type.layout.component_size != 0 || type.objects == 0) continue;
      const auto fields = names.Reader().Fields(analysis::TypeIndex(i));
      if (!fields) return tl::make_unexpected(fields.error());
      types[i] = std::any_of(fields->begin(), fields->end(),
                             [](const snapshot::Field& field) { return IsEventName(field.name); });
    }
    return types;
  }

  // References to delegates, all at once, so that each chunk is read once.
  Status AddFields() {
    analysis::FieldNames names(graph_, session_.Source());
    const auto types = TypesWithEvents(names);
    if (!types) return tl::make_unexpected(types.error());
    std::vector<analysis::EdgeRef> edges;
    for (uint32_t i = 0; i < graph_.ObjectCount(); ++i) {
      const ObjectIndex source(i);
      if (!(*types)[graph_.TypeOf(source).value]) continue;
      const auto targets = graph_.Targets(source);
      const uint64_t slots = targets.size() - graph_.ImpliedEdges(source);
      for (uint64_t ordinal = 0; ordinal < slots; ++ordinal)
        if (IsOfDelegate(targets[ordinal]) && !found_[targets[ordinal].value]) edges.push_back({source, ordinal});
    }
    const auto slots = analysis::SlotsOf(graph_, session_.Source(), edges, session_.Threads(), work_);
    if (!slots) return tl::make_unexpected(slots.error());
    for (size_t i = 0; i < edges.size(); ++i) {
      const auto name = names.NameOf(graph_.TypeOf(edges[i].source), (*slots)[i]);
      if (!name) return tl::make_unexpected(name.error());
      if (IsEventName(*name)) found_[graph_.Targets(edges[i].source)[edges[i].ordinal].value] = true;
    }
    return {};
  }

  void AddLists() {
    for (uint32_t i = 0; i < graph_.ObjectCount(); ++i) {
      if (!IsOfDelegate(ObjectIndex(i))) continue;
      for (const ObjectIndex list : graph_.Targets(ObjectIndex(i)))
        if (graph_.TypeInfo(list).name == "System.Object[]") AddList(list, found_[i]);
    }
  }

  // Delegates in the list of an event are the event's, too.
  void AddList(ObjectIndex list, bool is_event) {
    found_[list.value] = true;
    for (const ObjectIndex target : graph_.Targets(list))
      if (is_event && IsOfDelegate(target)) found_[target.value] = true;
  }

  SnapshotSession& session_;
  const HeapGraph& graph_;
  Work& work_;
  const std::vector<bool> delegates_;  // by type
  std::vector<bool> found_;
};

// The holders of one kind, by object.
Result<std::vector<bool>> Holders(SnapshotSession& session, const HeapGraph& graph, HolderKind kind, Work& work) {
  if (kind == HolderKind::kEvent) return EventFinder(session, graph, work).Find();
  const auto types = TypesWhere(graph.GetSummary(), kind == HolderKind::kTimer ? IsTimer : IsCollection);
  std::vector<bool> holders(graph.ObjectCount());
  for (uint32_t i = 0; i < graph.ObjectCount(); ++i) holders[i] = types[graph.TypeOf(ObjectIndex(i)).value];
  if (kind != HolderKind::kStaticCollection) return holders;
  Search elsewhere(graph, work);
  const auto is_no_static = [](RootKind root) { return root != RootKind::kStatic && root != RootKind::kThreadStatic; };
  CAIRN_TRY(elsewhere.Run(is_no_static, kNoObject));
  for (uint32_t i = 0; i < graph.ObjectCount(); ++i)
    if (elsewhere.Reached()[i]) holders[i] = false;
  return holders;
}

}  // namespace

Result<std::vector<bool>> HeldOnlyBy(SnapshotSession& session, HolderKind kind, Work& work) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto reached = session.Reached(work);
  if (!reached) return tl::make_unexpected(reached.error());
  const auto holders = Holders(session, **graph, kind, work);
  if (!holders) return tl::make_unexpected(holders.error());
  Search without(**graph, work);
  CAIRN_TRY(without.Run(kAnyRoot, [&](ObjectIndex object) { return bool((*holders)[object.value]); }));
  std::vector<bool> held(without.Reached().size());
  for (uint32_t i = 0; i < held.size(); ++i)
    held[i] = (*reached)->IsReachable(ObjectIndex(i)) && !without.Reached()[i] && !(*holders)[i];
  return held;
}

}  // namespace cairn::session
