#include "viewer/session/snapshot_session.h"

#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/parallel.h"
#include "viewer/analysis/shortest_paths.h"
#include "viewer/session/computed.h"
#include "viewer/session/dominance.h"
#include "viewer/session/file_chunk_source.h"

namespace cairn::session {

using analysis::HeapGraph;
using analysis::Reachability;
using analysis::Work;

struct SnapshotSession::Lazy {
  Computed<HeapGraph> graph;
  Computed<Reachability> reachability;
  Computed<Dominance> dominance;
  Computed<analysis::ShortestPaths> paths;
};

SnapshotSession::SnapshotSession(std::unique_ptr<analysis::ChunkSource> source, std::string path, uint64_t file_bytes,
                                 unsigned threads)
    : source_(std::move(source)),
      path_(std::move(path)),
      file_bytes_(file_bytes),
      threads_(threads ? threads : analysis::DefaultThreads()),
      lazy_(std::make_unique<Lazy>()) {}

SnapshotSession::~SnapshotSession() = default;

Result<std::unique_ptr<SnapshotSession>> SnapshotSession::Open(const std::string& path, const Options& options) {
  auto reader = snapshot::SnapshotReader::Open(path, options.limits);
  if (!reader) return tl::make_unexpected(std::move(reader).error());
  const uint64_t file_bytes = (*reader)->FileBytes();
  auto source = FileChunkSource::Create(std::move(*reader));
  if (!source) return tl::make_unexpected(std::move(source).error());
  return std::unique_ptr<SnapshotSession>(new SnapshotSession(std::move(*source), path, file_bytes, options.threads));
}

std::unique_ptr<SnapshotSession> SnapshotSession::Over(std::unique_ptr<analysis::ChunkSource> source, std::string path,
                                                       unsigned threads) {
  return std::unique_ptr<SnapshotSession>(new SnapshotSession(std::move(source), std::move(path), 0, threads));
}

const snapshot::Summary& SnapshotSession::GetSummary() const { return source_->GetSummary(); }

Result<const HeapGraph*> SnapshotSession::Graph(Work& work) {
  return lazy_->graph.Get(work, [&] { return HeapGraph::Build(*source_, work, threads_); });
}

Result<const Reachability*> SnapshotSession::Reached(Work& work) {
  return Graph(work).and_then([&](const HeapGraph* graph) {
    return lazy_->reachability.Get(work, [&] { return Reachability::Build(*graph, work); });
  });
}

Result<const Dominance*> SnapshotSession::Dominators(Work& work) {
  return Graph(work).and_then([&](const HeapGraph* graph) {
    return lazy_->dominance.Get(work, [&]() -> Result<Dominance> {
      auto tree = analysis::DominatorTree::Build(*graph, work);
      if (!tree) return tl::make_unexpected(std::move(tree).error());
      auto sizes = analysis::RetainedSizes::Build(*graph, *tree, work);
      if (!sizes) return tl::make_unexpected(std::move(sizes).error());
      return Dominance{std::move(*tree), std::move(*sizes)};
    });
  });
}

Result<const analysis::ShortestPaths*> SnapshotSession::ShortestPaths(Work& work) {
  return Graph(work).and_then([&](const HeapGraph* graph) {
    return lazy_->paths.Get(work, [&] { return analysis::ShortestPaths::Build(*graph, work); });
  });
}

Result<std::vector<snapshot::Problem>> SnapshotSession::GraphProblems(Work& work) {
  return Graph(work).map([](const HeapGraph* graph) {
    std::vector<snapshot::Problem> problems;
    const auto add = [&](uint64_t count, const char* code, const char* what) {
      if (count) problems.push_back({code, std::to_string(count) + what, true});
    };
    add(graph->UnresolvedEdges(), "graph.unresolved_references", " references lead to no object of the snapshot.");
    add(graph->Roots().Unresolved(), "graph.unresolved_roots", " roots lead to no object of the snapshot.");
    add(graph->UnresolvedDependents(), "graph.unresolved_dependents",
        " dependent handles have an end that is no object of the snapshot.");
    return problems;
  });
}

}  // namespace cairn::session
