#include "collector/il/region_tree.h"

#include <algorithm>

namespace cairn::collector::il {

namespace {

RegionKind HandlerKind(ClauseKind kind) {
  if (kind == ClauseKind::kFinally) return RegionKind::kFinally;
  return kind == ClauseKind::kFault ? RegionKind::kFault : RegionKind::kCatch;
}

bool MayBeLeft(RegionKind kind) { return kind == RegionKind::kTry || kind == RegionKind::kCatch; }

}  // namespace

Fault RegionTree::Build(const MethodBody& body) {
  const size_t count = body.instructions.size();
  regions_.assign(1, Region{});
  regions_[0].end = static_cast<Label>(count);
  for (const Clause& clause : body.clauses) {
    const bool filter = clause.kind == ClauseKind::kFilter;
    const bool good = clause.try_begin < clause.try_end && clause.try_end <= count &&
                      clause.handler_begin < clause.handler_end && clause.handler_end <= count &&
                      (!filter || clause.filter_begin < clause.handler_begin);
    if (!good) return Fault::kBadClause;
    Add(clause);
  }
  return Nest(count);
}

void RegionTree::Add(const Clause& clause) {
  regions_.push_back({RegionKind::kTry, clause.try_begin, clause.try_end, 0, 0, 0});
  regions_.push_back(
      {HandlerKind(clause.kind), clause.handler_begin, clause.handler_end, 0, clause.try_begin, clause.try_end});
  if (clause.kind == ClauseKind::kFilter) {
    regions_.push_back({RegionKind::kFilter, clause.filter_begin, clause.handler_begin, 0, 0, 0});
  }
}

// Outer ones first; then each lies within the last one that is still open, or the clauses overlap.
Fault RegionTree::Nest(size_t instructions) {
  const auto outer_first = [](const Region& a, const Region& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.end != b.end ? a.end > b.end : a.kind < b.kind;
  };
  std::stable_sort(regions_.begin() + 1, regions_.end(), outer_first);
  // Several handlers of one try list it once each.
  const auto same_try = [](const Region& a, const Region& b) {
    return a.kind == RegionKind::kTry && b.kind == RegionKind::kTry && a.begin == b.begin && a.end == b.end;
  };
  regions_.erase(std::unique(regions_.begin() + 1, regions_.end(), same_try), regions_.end());
  at_.assign(instructions, kMethod);
  std::vector<RegionIndex> open(1, kMethod);
  for (RegionIndex i = 1; i < regions_.size(); ++i) {
    Region& region = regions_[i];
    while (regions_[open.back()].end <= region.begin) open.pop_back();
    const Region& around = regions_[open.back()];
    const bool same = around.begin == region.begin && around.end == region.end && open.back() != kMethod;
    if (region.end > around.end || (same && region.kind != RegionKind::kTry && around.kind != RegionKind::kTry)) {
      return Fault::kBadRegion;
    }
    region.parent = open.back();
    open.push_back(i);
    std::fill(at_.begin() + region.begin, at_.begin() + region.end, i);
  }
  return Fault::kNone;
}

bool RegionTree::Holds(RegionIndex outer, RegionIndex inner) const {
  while (inner != outer && inner != kMethod) inner = regions_[inner].parent;
  return inner == outer;
}

RegionIndex RegionTree::Entered(Label target, RegionIndex from) const {
  RegionIndex region = at_[target];
  while (regions_[region].kind == RegionKind::kTry && regions_[region].begin == target && !Holds(region, from)) {
    region = regions_[region].parent;
  }
  return region;
}

bool RegionTree::MayLeave(RegionIndex from, Label target) const {
  for (RegionIndex region = from;; region = regions_[region].parent) {
    if (Entered(target, region) == region) return true;
    const Region& left = regions_[region];
    if (!MayBeLeft(left.kind)) return false;
    const bool own_try = left.kind == RegionKind::kCatch && target >= left.try_begin && target < left.try_end;
    if (own_try) return true;
  }
}

}  // namespace cairn::collector::il
