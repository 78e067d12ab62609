#include "viewer/presentation/tables/all_objects.h"

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/quantity.h"
#include "viewer/session/dominance.h"

namespace cairn::presentation {
namespace {

std::vector<Column> Columns() {
  return {{"object", "Object", Format::kObject},
          {"address", "Address"},
          {"type", "Type"},
          {"bytes", "Bytes", Format::kBytes},
          {"retained", "Retained", Format::kBytes},
          {"generation", "Generation"},
          {"reachable", "Reachable", Format::kFlag},
          {"references", "References", Format::kCount},
          {"dominator", "Dominator", Format::kObject}};
}

}  // namespace

Result<uint64_t> StreamAllObjects(session::SnapshotSession& session, RowSink& sink, analysis::Work& work) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto dominance = session.Dominators(work);
  if (!dominance) return tl::make_unexpected(dominance.error());
  const snapshot::Summary& summary = session.GetSummary();
  const std::vector<std::string> names = TypeNames(summary);
  sink.Begin(Columns());
  work.Begin("writing objects", (*graph)->ObjectCount());
  analysis::Stride stride(work);
  uint64_t rows = 0;
  for (uint32_t range = 0; range < summary.ranges.size(); ++range) {
    const std::string generation = snapshot::GenerationName(summary.ranges[range].generation);
    (*graph)->ForEachIn(range, [&](analysis::ObjectIndex object, uint64_t address, uint64_t bytes) {
      const auto dominator = (*dominance)->tree.DominatorOf(object);
      ++rows;
      const std::vector<Cell> cells = {uint64_t{object.value},
                                       HexAddress(address),
                                       names[(*graph)->TypeOf(object).value],
                                       bytes,
                                       (*dominance)->Retained(object),
                                       generation,
                                       (*dominance)->tree.IsReachable(object),
                                       uint64_t{(*graph)->Targets(object).size()},
                                       dominator.Valid() ? Cell(uint64_t{dominator.value}) : Cell()};
      return sink.Row(cells) && stride.Step();
    });
  }
  if (work.Cancelled()) return analysis::WasCancelled();
  sink.End(0);
  return rows;
}

}  // namespace cairn::presentation
