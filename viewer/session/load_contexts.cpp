#include "viewer/session/load_contexts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "viewer/analysis/contents_reader.h"
#include "viewer/analysis/fingerprint.h"
#include "viewer/analysis/heap_graph.h"

namespace cairn::session {
namespace {

constexpr std::string_view kLoaderAllocator = "System.Reflection.LoaderAllocator";
constexpr std::string_view kLoadContext = "System.Runtime.Loader.AssemblyLoadContext";
// Never unloaded.
constexpr std::string_view kDefaultContext = "System.Runtime.Loader.DefaultAssemblyLoadContext";
// Paths looked at before those of one shape are put together.
constexpr uint64_t kPathsPerHolder = 20;
constexpr uint64_t kFieldsOfContext = 64;
// What is left out of a longer path lies in its middle.
constexpr uint64_t kStepsOfHolder = 40;

using analysis::Work;

class ContextFinder {
 public:
  ContextFinder(const analysis::HeapGraph& graph, const analysis::Reachability& reached)
      : summary_(graph.GetSummary()), graph_(graph), reached_(reached) {}

  std::vector<LoadContext> Find() {
    for (uint32_t i = 0; i < summary_.types.size(); ++i)
      if (summary_.types[i].loader_allocator != 0) AddType(TypeIndex(i));
    AddInstances();
    std::vector<LoadContext> contexts;
    for (auto& [object, context] : contexts_) contexts.push_back(std::move(context));
    return contexts;
  }

 private:
  void AddType(TypeIndex index) {
    const snapshot::Type& type = summary_.types[index.value];
    const ObjectIndex allocator = graph_.AtAddress(type.loader_allocator);
    if (!allocator.Valid()) return;  // told among the problems of the graph
    LoadContext& context = Context(allocator, LoadContext::Kind::kLoaderAllocator);
    // Generic types over those of a context belong to it too, though their own assembly does not.
    if (type.module < summary_.modules.size() && summary_.modules[type.module].collectible)
      AddAssembly(context, summary_.modules[type.module].name);
    context.totals += reached_.ByType()[index.value];
  }

  static void AddAssembly(LoadContext& context, const std::string& name) {
    const auto at = std::lower_bound(context.assemblies.begin(), context.assemblies.end(), name);
    if (at == context.assemblies.end() || *at != name) context.assemblies.insert(at, name);
  }

  // Allocators whose types have no object any more, and the managed contexts.
  void AddInstances() {
    std::vector<bool> allocators(summary_.types.size()), contexts(summary_.types.size());
    bool any = false;
    for (uint32_t i = 0; i < summary_.types.size(); ++i) {
      allocators[i] = summary_.types[i].name == kLoaderAllocator;
      contexts[i] = IsContext(i);
      any = any || (summary_.types[i].objects > 0 && (allocators[i] || contexts[i]));
    }
    if (!any) return;
    for (uint32_t i = 0; i < graph_.ObjectCount(); ++i) {
      const uint32_t type = graph_.TypeOf(ObjectIndex(i)).value;
      if (allocators[type]) Context(ObjectIndex(i), LoadContext::Kind::kLoaderAllocator);
      if (contexts[type]) Context(ObjectIndex(i), LoadContext::Kind::kAssemblyLoadContext);
    }
  }

  // The type itself or one derived from it; the depth is bounded since a file may tell of a circle.
  bool IsContext(uint32_t type) const {
    for (int depth = 0; depth < 64 && type < summary_.types.size(); ++depth) {
      const snapshot::Type& at = summary_.types[type];
      if (at.name == kDefaultContext) return false;
      if (at.name == kLoadContext || at.base == kLoadContext) return true;
      type = at.base_type;
    }
    return false;
  }

  LoadContext& Context(ObjectIndex object, LoadContext::Kind kind) {
    const auto [at, added] = contexts_.try_emplace(object);
    if (added) {
      at->second.kind = kind;
      at->second.object = object;
      at->second.type = graph_.TypeOf(object);
      at->second.reachable = reached_.IsReachable(object);
    }
    return at->second;
  }

  const snapshot::Summary& summary_;
  const analysis::HeapGraph& graph_;
  const analysis::Reachability& reached_;
  std::map<ObjectIndex, LoadContext> contexts_;
};

// What is the same of paths that differ in array elements only.
std::string ShapeOf(const RootPath& path) {
  std::string shape = path.root.Name() + '\n' + std::to_string(static_cast<int>(path.root.kind));
  for (const PathStep& step : path.steps)
    shape += '\n' + std::to_string(step.type.value) + analysis::WithoutIndex(step.field);
  return shape;
}

// The text of the string that its field _name refers to; empty where that is not known.
Result<std::string> NameOf(SnapshotSession& session, const analysis::HeapGraph& graph, ObjectIndex context,
                           Work& work) {
  const auto fields = session.Fields(context, kFieldsOfContext, work);
  if (!fields) return tl::make_unexpected(fields.error());
  for (const FieldInfo& field : fields->fields) {
    if (field.name != "_name" || !field.target.Valid() || !graph.TypeInfo(field.target).layout.has_text) continue;
    return analysis::ContentsReader(graph, session.Source()).Read(field.target).map([](const auto& contents) {
      return std::string(contents.text);
    });
  }
  return std::string();
}

// What a path to a context says of why it is there; what says most comes first.
enum class Reason {
  kUse,          // something refers to one of its objects
  kItself,       // its own static fields, which live as long as it does
  kNotUnloaded,  // the runtime's own handle to it: nobody has asked for it to be unloaded
};

class HolderRanking {
 public:
  HolderRanking(const snapshot::Summary& summary, const analysis::HeapGraph& graph, ObjectIndex context) {
    const uint64_t address = graph.AddressOf(context);
    for (const snapshot::Type& type : summary.types)
      if (type.loader_allocator == address) own_types_.insert(type.name);
  }

  // Of equals roots in code and fields come before handles, which say less.
  std::tuple<Reason, bool> RankOf(const RootPath& path) const {
    const bool is_handle = path.root.kind >= snapshot::RootKind::kHandleStrong;
    if (path.steps.size() == 1 && is_handle) return {Reason::kNotUnloaded, is_handle};
    return {IsOwnStatic(path.root) ? Reason::kItself : Reason::kUse, is_handle};
  }

 private:
  bool IsOwnStatic(const RootInfo& root) const {
    if (root.kind != snapshot::RootKind::kStatic && root.kind != snapshot::RootKind::kThreadStatic) return false;
    const std::string name = root.Name();
    return own_types_.contains(name.substr(0, name.rfind('.')));
  }

  std::set<std::string> own_types_;
};

// The managed context of an allocator is known only where there is one of each: nothing in the heap ties them.
void Link(std::vector<LoadContext>& contexts) {
  LoadContext *allocator = nullptr, *context = nullptr;
  for (LoadContext& each : contexts) {
    LoadContext*& one = each.kind == LoadContext::Kind::kLoaderAllocator ? allocator : context;
    if (one != nullptr) return;
    one = &each;
  }
  if (allocator == nullptr || context == nullptr) return;
  allocator->partner = context->object;
  context->partner = allocator->object;
}

}  // namespace

Result<std::vector<RootPath>> HoldersOfContext(SnapshotSession& session, ObjectIndex object, uint64_t limit,
                                               Work& work) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  PathRequest request;
  request.object = object;
  request.limit = limit * kPathsPerHolder;
  request.max_steps = kStepsOfHolder;
  request.with_retained = true;
  auto paths = session.Paths(request, work);
  if (!paths) return tl::make_unexpected(std::move(paths).error());
  std::vector<RootPath> holders;
  std::set<std::string> known;
  for (RootPath& path : paths->paths)
    if (known.insert(ShapeOf(path)).second) holders.push_back(std::move(path));
  const HolderRanking ranking(session.GetSummary(), **graph, object);
  std::stable_sort(holders.begin(), holders.end(),
                   [&](const RootPath& a, const RootPath& b) { return ranking.RankOf(a) < ranking.RankOf(b); });
  holders.resize(std::min<size_t>(holders.size(), limit));
  return holders;
}

bool IsUnloadHandle(const RootPath& path) {
  return path.steps.size() == 1 && path.root.kind == snapshot::RootKind::kHandleStrong;
}

Result<std::vector<LoadContext>> FindLoadContexts(SnapshotSession& session, uint64_t holders, Work& work) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto reached = session.Reached(work);
  if (!reached) return tl::make_unexpected(reached.error());
  std::vector<LoadContext> contexts = ContextFinder(**graph, **reached).Find();
  for (LoadContext& context : contexts) {
    const auto retained = session.Retained(context.object, work);
    if (!retained) return tl::make_unexpected(retained.error());
    context.retained = *retained;
    auto found = HoldersOfContext(session, context.object, holders, work);
    if (!found) return tl::make_unexpected(std::move(found).error());
    context.holders = std::move(*found);
    if (context.kind != LoadContext::Kind::kAssemblyLoadContext) continue;
    auto name = NameOf(session, **graph, context.object, work);
    if (!name) return tl::make_unexpected(std::move(name).error());
    context.name = std::move(*name);
  }
  Link(contexts);
  std::stable_sort(contexts.begin(), contexts.end(), [](const LoadContext& a, const LoadContext& b) {
    return std::tuple(a.totals.bytes, a.retained) > std::tuple(b.totals.bytes, b.retained);
  });
  return contexts;
}

}  // namespace cairn::session
