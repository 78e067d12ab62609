#include "viewer/session/held_only.h"

#include <string_view>

#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/reachability.h"

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

// Multicast delegates keep their targets in an array, which is of no type of its own: object[].
std::vector<bool> InvocationLists(const HeapGraph& graph) {
  std::vector<bool> lists(graph.ObjectCount());
  const auto delegates = TypesWhere(graph.GetSummary(),
                                    [](const snapshot::Type& type) { return type.base == "System.MulticastDelegate"; });
  for (uint32_t i = 0; i < graph.ObjectCount(); ++i) {
    if (!delegates[graph.TypeOf(ObjectIndex(i)).value]) continue;
    for (const ObjectIndex target : graph.Targets(ObjectIndex(i)))
      if (graph.TypeInfo(target).name == "System.Object[]") lists[target.value] = true;
  }
  return lists;
}

// The holders of one kind, by object.
Result<std::vector<bool>> Holders(const HeapGraph& graph, HolderKind kind, Work& work) {
  const auto types = TypesWhere(graph.GetSummary(), kind == HolderKind::kEvent   ? IsEventDelegate
                                                    : kind == HolderKind::kTimer ? IsTimer
                                                                                 : IsCollection);
  std::vector<bool> holders =
      kind == HolderKind::kEvent ? InvocationLists(graph) : std::vector<bool>(graph.ObjectCount());
  for (uint32_t i = 0; i < graph.ObjectCount(); ++i)
    if (types[graph.TypeOf(ObjectIndex(i)).value]) holders[i] = true;
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
  const auto holders = Holders(**graph, kind, work);
  if (!holders) return tl::make_unexpected(holders.error());
  Search without(**graph, work);
  CAIRN_TRY(without.Run(kAnyRoot, [&](ObjectIndex object) { return bool((*holders)[object.value]); }));
  std::vector<bool> held(without.Reached().size());
  for (uint32_t i = 0; i < held.size(); ++i)
    held[i] = (*reached)->IsReachable(ObjectIndex(i)) && !without.Reached()[i] && !(*holders)[i];
  return held;
}

}  // namespace cairn::session
