#include "viewer/presentation/tables/suspects_table.h"

#include <cmath>

#include "viewer/presentation/allocations/allocated_at.h"
#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/quantity.h"

namespace cairn::presentation {
namespace {

// Between 0 and 1, to a ten-thousandth.
double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : std::round(1e4 * static_cast<double>(part) / static_cast<double>(whole)) / 1e4;
}

Column Placed(Column column, int place, Shown shown = Shown::kEverywhere) {
  column.place = place;
  column.shown = shown;
  return column;
}

}  // namespace

std::vector<Column> SuspectsTable::Columns() const {
  const Shown growth = has_base_ ? Shown::kTextOnly : Shown::kDataOnly;
  Column sense = Placed({"sense", "What they are"}, 5);
  sense.hide_if_empty = true;
  std::vector<Column> columns = {Placed({"fingerprint", "Fingerprint"}, 0, Shown::kDataOnly),
                                 Placed({"type", "Type"}, 4),
                                 Placed({"objects", "Objects", Format::kCount}, 1),
                                 Placed({"bytes", "Bytes", Format::kBytes}, 1),
                                 Placed({"retained", "Retained", Format::kBytes}, 1),
                                 Placed({"share", "Share"}, 1, Shown::kDataOnly),
                                 Placed({"path", "Path"}, 3),
                                 Placed({"accumulation_point", "In", Format::kObject}, 2),
                                 sense,
                                 Placed({"", "Share"}, 0, Shown::kTextOnly)};
  if (growth == Shown::kTextOnly) {
    columns.push_back(Placed({"", "Objects grown", Format::kDifference}, 0, growth));
    columns.push_back(Placed({"", "Retained grown", Format::kDifference}, 0, growth));
  }
  if (!allocated_.empty()) {
    Column allocated = Placed({"allocated", "Allocated at"}, 5);
    allocated.hide_if_empty = true;
    columns.push_back(allocated);
  }
  return columns;
}

std::vector<Cell> SuspectsTable::Row(uint64_t row) const {
  const session::Suspect& suspect = suspects_.at(row);
  const session::PathGroup& group = suspect.group;
  std::vector<Cell> cells = {group.fingerprint,
                             TypeName(summary_.types.at(group.type.value)),
                             group.objects,
                             group.bytes,
                             group.retained,
                             Share(group.retained, reachable_bytes_),
                             group.path,
                             uint64_t{suspect.accumulation_point.value},
                             suspect.sense.empty() ? Cell() : Cell(suspect.sense),
                             Percentage(group.retained, reachable_bytes_)};
  if (has_base_) {
    cells.emplace_back(static_cast<int64_t>(group.objects - suspect.objects_before));
    cells.emplace_back(static_cast<int64_t>(group.retained - suspect.retained_before));
  }
  if (!allocated_.empty()) cells.push_back(allocated_.at(row).empty() ? Cell() : Cell(allocated_[row]));
  return cells;
}

Result<std::vector<std::string>> AllocatedAt(session::SnapshotSession& session,
                                             const std::vector<session::Suspect>& suspects, analysis::Work& work) {
  std::vector<std::string> words;
  const auto sites = AllocationSitesByType(session, work);
  if (!sites) return tl::make_unexpected(sites.error());
  if (sites->empty()) return words;
  for (const session::Suspect& suspect : suspects)
    words.push_back(AllocationSitesWords(session.GetSummary(), sites->at(suspect.group.type.value)));
  return words;
}

}  // namespace cairn::presentation
