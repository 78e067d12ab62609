// What opening a snapshot and every exact answer cost, per object, and how many bytes at most.
// Peak memory is the process's, above what it used before; it is read once per case, so run each case with
// --benchmark_filter in a process of its own where the bytes matter.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tests/bench/analysis/synthetic_heap.h"
#include "viewer/analysis/dominators.h"
#include "viewer/analysis/parallel.h"
#include "viewer/analysis/reachability.h"
#include "viewer/analysis/retained.h"
#include "viewer/analysis/shortest_paths.h"
#include "viewer/session/file_chunk_source.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::bench {
namespace {

// Written once per run, removed at the end. CAIRN_BENCH_SNAPSHOT names another file to measure instead.
class SnapshotFiles {
 public:
  ~SnapshotFiles() {
    for (const auto& [objects, path] : written_) std::filesystem::remove(path);
  }

  std::string Of(uint64_t objects) {
    if (const char* given = std::getenv("CAIRN_BENCH_SNAPSHOT")) return given;
    std::string& path = written_[objects];
    if (path.empty()) {
      path = std::filesystem::temp_directory_path() / ("cairn-bench-" + std::to_string(objects) + ".cairn");
      if (const Status status = WriteSyntheticHeap(path, objects); !status) {
        std::fprintf(stderr, "%s\n", status.error().message.c_str());
        std::abort();
      }
    }
    return path;
  }

 private:
  std::map<uint64_t, std::string> written_;
};

SnapshotFiles files;

template <class T>
T Must(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::abort();
}

// "VmHWM" or "VmRSS", in bytes; 0 where the system does not tell.
double ProcessBytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.compare(0, name.size(), name) == 0) return std::stod(line.substr(name.size() + 1)) * 1024;
  return 0;
}

class PeakMemory {
 public:
  PeakMemory() {
    std::ofstream("/proc/self/clear_refs") << "5";  // forgets the peak so far
    before_ = ProcessBytes("VmRSS");
  }
  double Bytes() const { return ProcessBytes("VmHWM") - before_; }

 private:
  double before_ = 0;
};

struct Opened {
  std::unique_ptr<session::FileChunkSource> source;
  analysis::HeapGraph graph;
};

Opened Open(const std::string& path) {
  analysis::Work work;
  Opened opened;
  opened.source = Must(session::FileChunkSource::Create(Must(snapshot::SnapshotReader::Open(path))));
  opened.graph = Must(analysis::HeapGraph::Build(*opened.source, work, analysis::DefaultThreads()));
  return opened;
}

void Report(benchmark::State& state, uint64_t objects, double peak_bytes = 0) {
  using benchmark::Counter;
  // Shown in seconds with a prefix: 150n.
  state.counters["s/object"] =
      Counter(static_cast<double>(objects), Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["objects"] = static_cast<double>(objects);
  if (peak_bytes > 0) state.counters["peak_B/object"] = peak_bytes / static_cast<double>(objects);
}

void OpenDominatorsRetainedPaths(benchmark::State& state) {
  const std::string path = files.Of(static_cast<uint64_t>(state.range(0)));
  uint64_t objects = 0;
  const PeakMemory peak;
  for (auto _ : state) {
    analysis::Work work;
    const Opened opened = Open(path);
    const auto tree = Must(analysis::DominatorTree::Build(opened.graph, work));
    const auto retained = Must(analysis::RetainedSizes::Build(opened.graph, tree, work));
    const auto paths = Must(analysis::ShortestPaths::Build(opened.graph, work));
    objects = opened.graph.ObjectCount();
    benchmark::DoNotOptimize(retained.At(tree, analysis::DominatorTree::kVirtualRoot));
    state.counters["edges/object"] = static_cast<double>(opened.graph.EdgeCount()) / static_cast<double>(objects);
  }
  Report(state, objects, peak.Bytes());
}

void OpenGraph(benchmark::State& state) {
  const std::string path = files.Of(static_cast<uint64_t>(state.range(0)));
  uint64_t objects = 0;
  const PeakMemory peak;
  for (auto _ : state) objects = Open(path).graph.ObjectCount();
  Report(state, objects, peak.Bytes());
}

// One answer of an opened graph.
template <class Answer>
void OfGraph(benchmark::State& state, Answer answer) {
  const Opened opened = Open(files.Of(static_cast<uint64_t>(state.range(0))));
  for (auto _ : state) {
    analysis::Work work;
    answer(opened.graph, work);
  }
  Report(state, opened.graph.ObjectCount());
}

void Dominators(benchmark::State& state) {
  OfGraph(state, [](const auto& graph, auto& work) { Must(analysis::DominatorTree::Build(graph, work)); });
}

void Paths(benchmark::State& state) {
  OfGraph(state, [](const auto& graph, auto& work) { Must(analysis::ShortestPaths::Build(graph, work)); });
}

void Reachable(benchmark::State& state) {
  OfGraph(state, [](const auto& graph, auto& work) { Must(analysis::Reachability::Build(graph, work)); });
}

void RetainedOfObjectsAndTypes(benchmark::State& state) {
  const Opened opened = Open(files.Of(static_cast<uint64_t>(state.range(0))));
  analysis::Work work;
  const auto tree = Must(analysis::DominatorTree::Build(opened.graph, work));
  for (auto _ : state) {
    const auto retained = Must(analysis::RetainedSizes::Build(opened.graph, tree, work));
    const auto by_type =
        analysis::RetainedUnions(tree, retained, opened.graph.GetSummary().types.size(),
                                 [&](analysis::ObjectIndex object) { return opened.graph.TypeOf(object).value; });
    benchmark::DoNotOptimize(by_type.data());
  }
  Report(state, opened.graph.ObjectCount());
}

// What a histogram without retained sizes needs.
void Histogram(benchmark::State& state) {
  const std::string path = files.Of(static_cast<uint64_t>(state.range(0)));
  uint64_t objects = 0;
  const PeakMemory peak;
  for (auto _ : state) objects = Must(snapshot::SnapshotReader::Open(path))->Summary().totals.objects;
  Report(state, objects, peak.Bytes());
}

// A session with a cache of its own, removed at the end.
class CachedSessions {
 public:
  explicit CachedSessions(std::string snapshot) : snapshot_(std::move(snapshot)) {
    options_.cache.folder = (std::filesystem::temp_directory_path() / "cairn-bench-cache").string();
    options_.cache.from_objects = 0;
    std::filesystem::remove_all(options_.cache.folder);
  }
  ~CachedSessions() { std::filesystem::remove_all(options_.cache.folder); }

  std::unique_ptr<session::SnapshotSession> Open() const {
    return Must(session::SnapshotSession::Open(snapshot_, options_));
  }

 private:
  std::string snapshot_;
  session::SnapshotSession::Options options_;
};

void AskAll(session::SnapshotSession& session) {
  analysis::Work work;
  Must(session.Graph(work));
  Must(session.Dominators(work));
  Must(session.ShortestPaths(work));
}

// Graph, dominators, retained sizes and paths, from the cache.
void Reopen(benchmark::State& state) {
  const CachedSessions cached(files.Of(static_cast<uint64_t>(state.range(0))));
  AskAll(*cached.Open());
  uint64_t objects = 0;
  const PeakMemory peak;
  for (auto _ : state) {
    const auto session = cached.Open();
    AskAll(*session);
    objects = session->GetSummary().totals.objects;
  }
  Report(state, objects, peak.Bytes());
}

// The table of `cairn types`, from the cache.
void ReopenTypes(benchmark::State& state) {
  const CachedSessions cached(files.Of(static_cast<uint64_t>(state.range(0))));
  analysis::Work work;
  Must(cached.Open()->RetainedOfTypes(work));
  uint64_t objects = 0;
  for (auto _ : state) {
    const auto session = cached.Open();
    benchmark::DoNotOptimize(Must(session->RetainedOfTypes(work)).data());
    objects = session->GetSummary().totals.objects;
  }
  Report(state, objects);
}

session::PathRequest PathToTheMiddle(const session::SnapshotSession& session) {
  session::PathRequest request;
  request.object = analysis::ObjectIndex(static_cast<uint32_t>(session.GetSummary().totals.objects / 2));
  return request;
}

// One path of a snapshot that nobody has looked at.
void PathCold(benchmark::State& state) {
  const std::string path = files.Of(static_cast<uint64_t>(state.range(0)));
  uint64_t objects = 0;
  for (auto _ : state) {
    analysis::Work work;
    const auto session = Must(session::SnapshotSession::Open(path));
    benchmark::DoNotOptimize(Must(session->Paths(PathToTheMiddle(*session), work)).total);
    objects = session->GetSummary().totals.objects;
  }
  Report(state, objects);
}

// One path more of the same session.
void PathWarm(benchmark::State& state) {
  const auto session = Must(session::SnapshotSession::Open(files.Of(static_cast<uint64_t>(state.range(0)))));
  analysis::Work work;
  const session::PathRequest request = PathToTheMiddle(*session);
  Must(session->Paths(request, work));
  for (auto _ : state) benchmark::DoNotOptimize(Must(session->Paths(request, work)).total);
  Report(state, session->GetSummary().totals.objects);
}

void Sizes(benchmark::internal::Benchmark* bench) {
  bench->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime()->Arg(1'000'000)->Arg(10'000'000);
}

BENCHMARK(OpenDominatorsRetainedPaths)->Apply(Sizes);
BENCHMARK(Histogram)->Apply(Sizes);
BENCHMARK(Reopen)->Apply(Sizes);
BENCHMARK(ReopenTypes)->Apply(Sizes);
BENCHMARK(PathCold)->Apply(Sizes);
BENCHMARK(PathWarm)->Apply(Sizes);
BENCHMARK(OpenGraph)->Apply(Sizes);
BENCHMARK(Dominators)->Apply(Sizes);
BENCHMARK(RetainedOfObjectsAndTypes)->Apply(Sizes);
BENCHMARK(Paths)->Apply(Sizes);
BENCHMARK(Reachable)->Apply(Sizes);

}  // namespace
}  // namespace cairn::bench

BENCHMARK_MAIN();
