#include "viewer/session/snapshot_session.h"

#include "viewer/analysis/parallel.h"
#include "viewer/session/file_chunk_source.h"
#include "viewer/session/lazy.h"

namespace cairn::session {

using analysis::ArrayList;
using analysis::ArrayTaker;
using analysis::HeapGraph;
using analysis::Reachability;
using analysis::Work;

SnapshotSession::SnapshotSession(std::unique_ptr<analysis::ChunkSource> source, std::string path, uint64_t file_bytes,
                                 unsigned threads)
    : source_(std::move(source)),
      path_(std::move(path)),
      file_bytes_(file_bytes),
      threads_(threads ? threads : analysis::DefaultThreads()),
      lazy_(std::make_unique<Lazy>()) {}

SnapshotSession::~SnapshotSession() = default;

Result<std::unique_ptr<SnapshotSession>> SnapshotSession::Open(const std::string& path, const Options& options) {
  // Before it is opened: what is computed later is kept only if this is still the file that was read.
  const auto identity = options.cache.folder.empty() ? std::nullopt : snapshot::IdentityOf(path);
  auto reader = snapshot::SnapshotReader::Open(path, options.limits);
  if (!reader) return tl::make_unexpected(std::move(reader).error());
  const uint64_t file_bytes = (*reader)->FileBytes();
  auto source = FileChunkSource::Create(std::move(*reader));
  if (!source) return tl::make_unexpected(std::move(source).error());
  std::unique_ptr<SnapshotSession> session(new SnapshotSession(std::move(*source), path, file_bytes, options.threads));
  const snapshot::Summary& summary = session->GetSummary();
  if (identity && summary.totals.objects >= options.cache.from_objects)
    session->lazy_->store =
        std::make_unique<ResultStore>(path, summary.capture.id, *identity, options.cache, session->threads_);
  return session;
}

std::unique_ptr<SnapshotSession> SnapshotSession::Over(std::unique_ptr<analysis::ChunkSource> source, std::string path,
                                                       unsigned threads) {
  return std::unique_ptr<SnapshotSession>(new SnapshotSession(std::move(source), std::move(path), 0, threads));
}

const snapshot::Summary& SnapshotSession::GetSummary() const { return source_->GetSummary(); }

void SnapshotSession::SetCacheEvents(CacheEvents events) {
  if (lazy_->store) lazy_->store->SetEvents(std::move(events));
}

namespace {

template <class T>
Result<T> FindOrBuild(ResultStore* store, const char* name,
                      const std::function<std::optional<T>(ArrayTaker)>& from_saved,
                      const std::function<Result<T>()>& build, bool& is_new) {
  const auto computing = store ? store->Computing() : nullptr;
  auto found = store ? store->Find<T>(name, from_saved) : std::nullopt;
  is_new = !found;
  if (found) return std::move(*found);
  return build();
}

}  // namespace

// From this session, from the cache, or built and then kept.
template <class T>
Result<const T*> SnapshotSession::Kept(Computed<T>& value, const char* name, Work& work,
                                       const std::function<std::optional<T>(ArrayTaker)>& from_saved,
                                       const std::function<Result<T>()>& build) {
  bool is_new = false;
  const auto result =
      value.Get(work, [&] { return FindOrBuild<T>(lazy_->store.get(), name, from_saved, build, is_new); });
  if (is_new && result && lazy_->store)
    lazy_->store->Keep(name, [value = *result](ArrayList& out) { value->Save(out); });
  return result;
}

Result<const HeapGraph*> SnapshotSession::Graph(Work& work) {
  return Kept<HeapGraph>(
      lazy_->graph, "graph", work,
      [&](ArrayTaker from) { return HeapGraph::FromSaved(std::move(from), *source_, threads_); },
      [&] { return HeapGraph::Build(*source_, work, threads_); });
}

Result<const Reachability*> SnapshotSession::Reached(Work& work) {
  return Graph(work).and_then([&](const HeapGraph* graph) {
    return Kept<Reachability>(
        lazy_->reachability, "reachability", work,
        [&](ArrayTaker from) { return Reachability::FromSaved(std::move(from), *graph); },
        [&] { return Reachability::Build(*graph, work); });
  });
}

Result<const Dominance*> SnapshotSession::Dominators(Work& work) {
  return Graph(work).and_then([&](const HeapGraph* graph) {
    const auto build = [&]() -> Result<Dominance> {
      auto tree = analysis::DominatorTree::Build(*graph, work);
      if (!tree) return tl::make_unexpected(std::move(tree).error());
      auto sizes = analysis::RetainedSizes::Build(*graph, *tree, work);
      if (!sizes) return tl::make_unexpected(std::move(sizes).error());
      return Dominance{std::move(*tree), std::move(*sizes)};
    };
    return Kept<Dominance>(
        lazy_->dominance, "dominators", work,
        [&](ArrayTaker from) { return Dominance::FromSaved(std::move(from), *graph, threads_); }, build);
  });
}

Result<const analysis::ShortestPaths*> SnapshotSession::ShortestPaths(Work& work) {
  return Graph(work).and_then([&](const HeapGraph* graph) {
    return Kept<analysis::ShortestPaths>(
        lazy_->paths, "paths", work,
        [&](ArrayTaker from) { return analysis::ShortestPaths::FromSaved(std::move(from), *graph, threads_); },
        [&] { return analysis::ShortestPaths::Build(*graph, work); });
  });
}

Result<const SnapshotSession::TypeTotals*> SnapshotSession::OfTypes(Work& work) {
  const size_t types = GetSummary().types.size();
  const auto build = [&]() -> Result<TypeTotals> {
    const auto graph = Graph(work);
    if (!graph) return tl::make_unexpected(graph.error());
    TypeTotals totals;
    auto sums = SumTypes(work);
    if (!sums) return tl::make_unexpected(std::move(sums).error());
    totals.of_type = std::move(*sums);
    totals.unresolved_edges = (*graph)->UnresolvedEdges();
    totals.unresolved_roots = (*graph)->Roots().Unresolved();
    totals.unresolved_dependents = (*graph)->UnresolvedDependents();
    return totals;
  };
  return Kept<TypeTotals>(
      lazy_->totals, "totals", work, [&](ArrayTaker from) { return TypeTotals::FromSaved(std::move(from), types); },
      build);
}

void SnapshotSession::TypeTotals::Save(ArrayList& out) const {
  std::vector<uint64_t> numbers;
  for (const GroupTotals& type : of_type)
    for (const uint64_t number : {type.reachable.objects, type.reachable.bytes, type.unreachable.objects,
                                  type.unreachable.bytes, type.retained})
      numbers.push_back(number);
  out.AddCopy(std::move(numbers));
  out.AddCopy(std::vector{unresolved_edges, unresolved_roots, unresolved_dependents});
}

std::optional<SnapshotSession::TypeTotals> SnapshotSession::TypeTotals::FromSaved(ArrayTaker from, size_t types) {
  std::vector<uint64_t> numbers, unresolved;
  if (!from.TakeCopy(numbers) || !from.TakeCopy(unresolved) || numbers.size() != 5 * types || unresolved.size() != 3)
    return std::nullopt;
  TypeTotals totals;
  for (size_t i = 0; i < numbers.size(); i += 5)
    totals.of_type.push_back({{numbers[i], numbers[i + 1]}, {numbers[i + 2], numbers[i + 3]}, numbers[i + 4]});
  totals.unresolved_edges = unresolved[0];
  totals.unresolved_roots = unresolved[1];
  totals.unresolved_dependents = unresolved[2];
  return totals;
}

Result<std::vector<snapshot::Problem>> SnapshotSession::GraphProblems(Work& work) {
  uint64_t edges = 0, roots = 0, dependents = 0;
  if (const TypeTotals* totals = lazy_->totals.Peek()) {
    edges = totals->unresolved_edges;
    roots = totals->unresolved_roots;
    dependents = totals->unresolved_dependents;
  } else {
    const auto graph = Graph(work);
    if (!graph) return tl::make_unexpected(graph.error());
    edges = (*graph)->UnresolvedEdges();
    roots = (*graph)->Roots().Unresolved();
    dependents = (*graph)->UnresolvedDependents();
  }
  std::vector<snapshot::Problem> problems;
  const auto add = [&](uint64_t count, const char* code, const char* what) {
    if (count) problems.push_back({code, std::to_string(count) + what, true});
  };
  add(edges, "graph.unresolved_references", " references lead to no object of the snapshot.");
  add(roots, "graph.unresolved_roots", " roots lead to no object of the snapshot.");
  add(dependents, "graph.unresolved_dependents", " dependent handles have an end that is no object of the snapshot.");
  return problems;
}

}  // namespace cairn::session
