#include "snapshot-format/file/model.h"

#include <algorithm>
#include <iterator>

namespace cairn::snapshot {

const char* GenerationName(Generation generation) {
  constexpr const char* kNames[] = {"gen0", "gen1", "gen2", "loh", "poh", "frozen"};
  const auto index = static_cast<size_t>(generation);
  return index < std::size(kNames) ? kNames[index] : "unknown";
}

const char* RootKindName(RootKind kind) {
  constexpr const char* kNames[] = {"static",        "thread-static",     "local",     "handle-strong",
                                    "handle-pinned", "handle-refcounted", "finalizer", "frozen",
                                    "other",         "handle-weak"};
  const auto index = static_cast<size_t>(kind);
  return index < std::size(kNames) ? kNames[index] : "unknown";
}

const Method* FindMethod(const Summary& summary, uint64_t address) {
  const auto found = std::ranges::lower_bound(summary.methods, address, {}, &Method::address);
  return found != summary.methods.end() && found->address == address ? &*found : nullptr;
}

void FillTotals(Summary& summary) {
  Totals totals;
  totals.chunks = summary.totals.chunks;
  for (const Range& range : summary.ranges) {
    totals.objects += range.objects;
    totals.bytes += range.bytes;
    totals.free_objects += range.free_objects;
    totals.free_bytes += range.free_bytes;
    totals.edges += range.edges;
  }
  totals.roots = summary.roots.size();
  totals.dependents = summary.dependents.size();
  totals.types = static_cast<uint32_t>(summary.types.size());
  summary.totals = totals;
}

std::vector<GenerationTotals> TotalsByGeneration(const std::vector<Range>& ranges) {
  std::vector<GenerationTotals> totals(kGenerationCount);
  for (const Range& range : ranges) {
    GenerationTotals& total = totals.at(static_cast<size_t>(range.generation));
    total.objects += range.objects;
    total.bytes += range.bytes;
    total.free_objects += range.free_objects;
    total.free_bytes += range.free_bytes;
    ++total.ranges;
  }
  return totals;
}

}  // namespace cairn::snapshot
