#include "viewer/presentation/documents/check_report.h"

#include <algorithm>
#include <map>

#include "viewer/presentation/heap_source.h"

namespace cairn::presentation {
namespace {

using analysis::ObjectIndex;
using analysis::Work;
using session::DominatedRow;
using session::SnapshotSession;

constexpr uint64_t kMaxTiles = 40, kMaxParts = 12;
constexpr size_t kMaxGrowth = 12;

class TileMaker {
 public:
  TileMaker(SnapshotSession& session, Work& work) : session_(session), work_(work) {}

  // `whole`: what all of them retain.
  Result<std::vector<HeapTile>> Tiles(ObjectIndex of, uint64_t whole, int levels) {
    const auto dominated = session_.DominatorChildren(of, levels > 1 ? kMaxTiles : kMaxParts, work_);
    if (!dominated) return tl::make_unexpected(dominated.error());
    std::vector<HeapTile> tiles;
    uint64_t shown = 0;
    for (const DominatedRow& row : dominated->children) {
      auto tile = Tile(row, levels);
      if (!tile) return tl::make_unexpected(std::move(tile).error());
      shown += row.retained;
      tiles.push_back(std::move(*tile));
    }
    if (levels > 1 && whole > shown) tiles.push_back({"(the rest)", whole - shown, {}});
    std::stable_sort(tiles.begin(), tiles.end(),
                     [](const HeapTile& a, const HeapTile& b) { return a.retained > b.retained; });
    return tiles;
  }

 private:
  Result<HeapTile> Tile(const DominatedRow& row, int levels) {
    HeapTile tile{TypeName(session_.GetSummary().types.at(row.type.value)), row.retained, {}};
    if (levels <= 1 || row.dominated == 0) return tile;
    auto parts = Tiles(row.object, row.retained, levels - 1);
    if (!parts) return tl::make_unexpected(std::move(parts).error());
    tile.parts = std::move(*parts);
    return tile;
  }

  SnapshotSession& session_;
  Work& work_;
};

Status DescribeGrowth(SnapshotSession& session, const check::Base& base, std::vector<TypeGrowth>& growth, Work& work) {
  std::map<std::string, TypeGrowth> types;
  for (const session::PathGroup& group : base.groups)
    if (group.objects > 0) types[base.type_names[group.type.value]].bytes_before += group.bytes;
  const auto now = session.ReachableOfTypes(work);
  if (!now) return tl::make_unexpected(now.error());
  for (size_t i = 0; i < now->size(); ++i)
    if ((*now)[i].bytes > 0) types[session.GetSummary().types[i].name].bytes_now += (*now)[i].bytes;
  for (auto& [name, type] : types) {
    type.type = name;
    if (type.bytes_now > type.bytes_before) growth.push_back(type);
  }
  std::stable_sort(growth.begin(), growth.end(), [](const TypeGrowth& a, const TypeGrowth& b) {
    return a.bytes_now - a.bytes_before > b.bytes_now - b.bytes_before;
  });
  growth.resize(std::min(growth.size(), kMaxGrowth));
  return {};
}

}  // namespace

uint64_t CheckReport::Violations(size_t rule) const {
  return static_cast<uint64_t>(
      std::count_if(verdict.violations.begin(), verdict.violations.end(),
                    [&](const check::Violation& violation) { return violation.rule == rule; }));
}

std::string CheckReport::WhyUnjudged(size_t rule) const {
  if (!complete) return "a snapshot is incomplete";
  const auto at = std::find_if(verdict.unjudged.begin(), verdict.unjudged.end(),
                               [&](const check::Unjudged& each) { return each.rule == rule; });
  return at == verdict.unjudged.end() ? "" : at->why;
}

Status DescribeHeap(SnapshotSession& session, const check::Base* base, CheckReport& report, Work& work) {
  const auto reachable = session.Reachable(work);
  if (!reachable) return tl::make_unexpected(reachable.error());
  report.reachable = *reachable;
  auto tiles = TileMaker(session, work).Tiles({}, reachable->bytes, 2);
  if (!tiles) return tl::make_unexpected(std::move(tiles).error());
  report.tiles = std::move(*tiles);
  return base ? DescribeGrowth(session, *base, report.growth, work) : Status();
}

Status DescribeAllocations(SnapshotSession& session, CheckReport& report, Work& work) {
  if (report.verdict.violations.empty()) return {};
  const auto sites = AllocationSitesByType(session, work);
  if (!sites) return tl::make_unexpected(sites.error());
  if (sites->empty()) return {};
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  for (const check::Violation& violation : report.verdict.violations) {
    if (!violation.example.Valid()) continue;
    const analysis::TypeIndex type = (*graph)->TypeOf(violation.example);
    report.allocated[violation.example.value] = {type, (*sites)[type.value]};
  }
  return {};
}

}  // namespace cairn::presentation
