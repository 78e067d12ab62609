#include "viewer/session/disposed.h"

#include <algorithm>

#include "viewer/analysis/dotnet/disposed_flag.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/reachability.h"

namespace cairn::session {
namespace {

using analysis::ChunkCursor;
using analysis::HeapGraph;
using analysis::Work;

constexpr uint32_t kNoValue = UINT32_MAX;

class DisposedFinder {
 public:
  DisposedFinder(const HeapGraph& graph, const analysis::ChunkSource& source, const std::vector<bool>& types)
      : graph_(graph),
        source_(source),
        summary_(graph.GetSummary()),
        types_(types),
        value_(types.size(), kNoValue),
        is_open_(types.size()) {
    found_.disposed.resize(graph.ObjectCount());
    found_.flagged.resize(types.size());
    found_.known.resize(types.size());
  }

  Result<DisposedObjects> Find(const analysis::Reachability& reached, Work& work) {
    auto cursor = source_.NewCursor();
    if (!cursor) return tl::make_unexpected(std::move(cursor).error());
    CAIRN_TRY(FindFlags(reached, **cursor));
    if (std::find(found_.known.begin(), found_.known.end(), true) != found_.known.end())
      CAIRN_TRY(ReadChunks(**cursor, work));
    return std::move(found_);
  }

 private:
  Status FindFlags(const analysis::Reachability& reached, ChunkCursor& cursor) {
    for (uint32_t i = 0; i < types_.size(); ++i) {
      if (!types_[i] || reached.ByType()[i].objects == 0) continue;
      const auto fields = cursor.Fields(i);
      if (!fields) return tl::make_unexpected(fields.error());
      const auto flag = analysis::dotnet::FindDisposedFlag(summary_.types[i], *fields);
      found_.flagged[i] = flag.there;
      found_.known[i] = flag.value.has_value();
      value_[i] = flag.value.value_or(kNoValue);
      is_open_[i] = flag.is_open;
    }
    return {};
  }

  Status ReadChunks(ChunkCursor& cursor, Work& work) {
    work.Begin("reading contents", source_.Chunks().size());
    stream::DecodedChunk chunk;
    stream::DecodedContents contents;
    for (size_t i = 0; i < source_.Chunks().size(); ++i) {
      if (work.Cancelled()) return analysis::WasCancelled();
      CAIRN_TRY(cursor.Read(i, chunk));
      CAIRN_TRY(cursor.ReadContents(i, chunk, contents));
      const uint64_t first = source_.Chunks()[i].first_object;
      for (size_t object = 0; object < chunk.types.size(); ++object) {
        const uint32_t value = value_[chunk.types[object]];
        if (value == kNoValue) continue;
        if ((contents.Of(object).values[value] != 0) != is_open_[chunk.types[object]])
          found_.disposed[first + object] = true;
      }
      work.Advance(1);
    }
    return {};
  }

  const HeapGraph& graph_;
  const analysis::ChunkSource& source_;
  const snapshot::Summary& summary_;
  const std::vector<bool>& types_;
  std::vector<uint32_t> value_;  // by type: which of the values is the flag
  std::vector<bool> is_open_;    // by type: the flag says the opposite
  DisposedObjects found_;
};

}  // namespace

Result<DisposedObjects> FindDisposed(SnapshotSession& session, const std::vector<bool>& types, Work& work) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto reached = session.Reached(work);
  if (!reached) return tl::make_unexpected(reached.error());
  return DisposedFinder(**graph, session.Source(), types).Find(**reached, work);
}

}  // namespace cairn::session
