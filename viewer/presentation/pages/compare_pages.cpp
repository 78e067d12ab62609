// Two or more snapshots: what grew, and what of it looks like a leak.

#include <fmt/format.h>

#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/diff_table.h"
#include "viewer/presentation/tables/path_diff_table.h"
#include "viewer/presentation/tables/suspects_table.h"

namespace cairn::presentation {
namespace {

struct Compared {
  std::vector<std::vector<TypeRow>> types;  // one per snapshot
  std::vector<std::vector<PathRow>> paths;
  AllocatedByType allocated;  // in the last one
};

Status AddSnapshot(session::SnapshotSession& session, Compared& compared, analysis::Work& work) {
  auto types = SessionRows(session, GroupBy::kType, std::nullopt, work);
  if (!types) return tl::make_unexpected(std::move(types).error());
  const auto groups = session.PathGroups({}, work);
  if (!groups) return tl::make_unexpected(groups.error());
  compared.types.push_back(std::move(*types));
  compared.paths.push_back(PathRows(session.GetSummary(), *groups));
  auto allocated = AllocatedWordsByType(session, work);
  if (!allocated) return tl::make_unexpected(std::move(allocated).error());
  compared.allocated = std::move(*allocated);
  return {};
}

// Of the earlier ones: a page of the last file does not tell of them.
void TellOfEarlier(Page& page, const std::string& path, const snapshot::Summary& summary) {
  if (!summary.complete)
    page.notices.push_back({Notice::Level::kBad, "INCOMPLETE: " + path + " does not hold the whole heap.",
                            "Growth against it may be wrong; its overview says why."});
}

std::string Grown(const std::vector<TypeRow>& base, const std::vector<TypeRow>& head) {
  uint64_t before = 0, after = 0;
  for (const TypeRow& row : base) before += row.bytes;
  for (const TypeRow& row : head) after += row.bytes;
  return fmt::format("{} bytes, from {} to {}", GroupedDifference(static_cast<int64_t>(after - before)),
                     HumanBytes(before), HumanBytes(after));
}

// Of a row: the objects that have its path, by what they retain; and what the paths to them are.
CellLink PathLinks(const Place& place) {
  return [place](const RowView& row, const std::string& column) -> std::optional<Place> {
    if (column == "type") return place.OfType(row.Text("type"));
    if (column.starts_with("retained")) return place.OfType(row.Text("type"), View::kPaths);
    Place objects = place.OfType(row.Text("type"));
    objects.path = row.Text("fingerprint");
    return objects;
  };
}

void AddDiffTables(Page& page, const Place& place, const Compared& compared) {
  page.facts.push_back({"Reachable", Grown(compared.types.front(), compared.types.back()), place.Of(View::kTypes)});
  page.facts.push_back({"Suspects", "what of the growth looks like a leak", place.Of(View::kSuspects)});
  const auto types = std::make_shared<DiffTable>(compared.types, false);
  const auto paths = std::make_shared<PathDiffTable>(compared.paths, false);
  types->SayAllocated(compared.allocated);
  paths->SayAllocated(compared.allocated);
  page.sections = {
      {"Types that changed", types, TypeLinks(place), "No type changed in objects or bytes.", ""},
      {"Paths that changed", paths, PathLinks(place), "No path changed in objects or retained bytes.", ""}};
}

}  // namespace

Result<Page> DiffPage(const PageRequest& request) {
  auto opened = OpenPage(request, "What changed");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  Compared compared;
  for (const std::string& file : request.place.files) {
    const auto session = request.sessions.Get(file);
    if (!session) return tl::make_unexpected(session.error());
    if (*session != opened->session) TellOfEarlier(opened->page, file, (*session)->GetSummary());
    CAIRN_TRY(AddSnapshot(**session, compared, request.work));
  }
  AddGraphProblems(*opened, request.work);
  AddDiffTables(opened->page, request.place, compared);
  return std::move(opened->page);
}

Result<Page> SuspectsPage(const PageRequest& request) {
  const bool has_base = request.place.files.size() > 1;
  auto opened = OpenPage(request, has_base ? "What of the growth looks like a leak" : "What looks like a leak");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  std::vector<session::PathGroup> base;
  if (has_base) {
    const auto earlier = request.sessions.Get(request.place.files.front());
    if (!earlier) return tl::make_unexpected(earlier.error());
    TellOfEarlier(opened->page, request.place.files.front(), (*earlier)->GetSummary());
    auto groups = (*earlier)->PathGroups({}, request.work);
    if (!groups) return tl::make_unexpected(std::move(groups).error());
    base = std::move(*groups);
  }
  auto suspects = session::FindSuspects(*opened->session, has_base ? &base : nullptr, request.work);
  if (!suspects) return tl::make_unexpected(std::move(suspects).error());
  const auto reachable = opened->session->Reachable(request.work);
  if (!reachable) return tl::make_unexpected(reachable.error());
  AddGraphProblems(*opened, request.work);
  auto allocated = AllocatedAt(*opened->session, *suspects, request.work);
  if (!allocated) return tl::make_unexpected(std::move(allocated).error());
  const auto table =
      std::make_shared<SuspectsTable>(opened->session->GetSummary(), std::move(*suspects), reachable->bytes, has_base);
  table->SayAllocated(std::move(*allocated));
  opened->page.sections.push_back({"Suspects", table, ObjectLinks(request.place), "Nothing stands out.", ""});
  return std::move(opened->page);
}

}  // namespace cairn::presentation
