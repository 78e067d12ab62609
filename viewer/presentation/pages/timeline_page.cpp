// A series of snapshots: what each holds, one type or namespace upon the other, and what grew over all of them. From
// the files' small tables alone, so that a hundred of them are there at once.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/diff_table.h"
#include "viewer/presentation/tables/type_rows.h"
#include "viewer/presentation/tables/types_table.h"

namespace cairn::presentation {
namespace {

constexpr size_t kLayers = 7;

struct TakenSnapshot {
  std::string path;
  std::shared_ptr<session::SnapshotSession> session;
  std::vector<TypeRow> rows;
  uint64_t objects = 0, bytes = 0;
};

struct Series {
  GroupBy group{};
  std::vector<TakenSnapshot> snapshots;  // those that can be read
};

TakenSnapshot Taken(const std::string& path, std::shared_ptr<session::SnapshotSession> session, GroupBy group) {
  TakenSnapshot taken{path, std::move(session), {}};
  taken.rows = SummaryGroups(taken.session->GetSummary(), group);
  for (const TypeRow& row : taken.rows) {
    taken.objects += row.objects;
    taken.bytes += row.bytes;
  }
  return taken;
}

// One that cannot be read is told of and left out: the others still tell how it went.
Result<Series> ReadSeries(const PageRequest& request, Page& page) {
  Series series{request.place.by == "namespace" ? GroupBy::kNamespace : GroupBy::kType, {}};
  std::optional<Error> failure;
  for (const std::string& file : request.place.files) {
    if (request.work.Cancelled()) return analysis::WasCancelled();
    auto session = request.sessions.Get(file);
    if (session) {
      series.snapshots.push_back(Taken(file, std::move(*session), series.group));
      continue;
    }
    failure = session.error();
    page.notices.push_back({Notice::Level::kBad, "Left out: " + session.error().message, session.error().hint});
  }
  if (series.snapshots.empty()) return tl::make_unexpected(std::move(*failure));
  return series;
}

// What is large or grows has a layer of its own: the bytes at the most, and once more what it grew by.
std::vector<std::string> NamesOfLayers(const Series& series) {
  struct Extent {
    uint64_t most = 0, first = 0, last = 0;
    uint64_t Rank() const { return most + (last > first ? last - first : 0); }
  };
  std::map<std::string, Extent> extents;
  for (const TakenSnapshot& snapshot : series.snapshots) {
    std::map<std::string, uint64_t> bytes;
    for (const TypeRow& row : snapshot.rows) bytes[row.name] += row.bytes;
    for (const auto& [name, size] : bytes) {
      Extent& extent = extents[name];
      extent.most = std::max(extent.most, size);
      if (&snapshot == &series.snapshots.front()) extent.first = size;
      if (&snapshot == &series.snapshots.back()) extent.last = size;
    }
  }
  std::vector<std::pair<uint64_t, std::string>> ranked;
  for (const auto& [name, extent] : extents) ranked.emplace_back(extent.Rank(), name);
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  ranked.resize(std::min(ranked.size(), kLayers));
  std::vector<std::string> names;
  for (auto& [rank, name] : ranked) names.push_back(std::move(name));
  return names;
}

// "14:02:11" of "2026-01-02T14:02:11Z".
std::string TimeOfDay(const std::string& captured_at) {
  const size_t at = captured_at.find('T');
  return at == std::string::npos ? captured_at : captured_at.substr(at + 1, 8);
}

StackedColumn ColumnOf(const Series& series, size_t number, const std::vector<std::string>& names) {
  const TakenSnapshot& taken = series.snapshots[number];
  StackedColumn column{TimeOfDay(taken.session->GetSummary().capture.captured_at),
                       fmt::format("{}\n{} in {}", taken.path.substr(taken.path.rfind('/') + 1),
                                   HumanBytes(taken.bytes), Counted(taken.objects, "object", "objects")),
                       std::vector<uint64_t>(names.size() + 1),
                       {}};
  for (const TypeRow& row : taken.rows) {
    const auto at = std::find(names.begin(), names.end(), row.name);
    column.values[static_cast<size_t>(at - names.begin())] += row.bytes;
  }
  column.place = Place::Of(View::kOverview, taken.path);
  if (number == 0) return column;
  const TakenSnapshot& before = series.snapshots[number - 1];
  column.words += fmt::format("\n{} bytes since the one before; click: what changed",
                              GroupedDifference(static_cast<int64_t>(taken.bytes - before.bytes)));
  column.place = Place{.view = View::kDiff, .files = {before.path, taken.path}};
  return column;
}

StackedChart ChartOf(const Series& series, const Place& place) {
  const std::vector<std::string> names = NamesOfLayers(series);
  StackedChart chart{"Bytes of all objects, garbage included", {}, {}};
  for (const std::string& name : names)
    chart.layers.push_back({name, series.group == GroupBy::kType ? place.OfType(name) : place.OfType(name + ".*")});
  chart.layers.push_back({"all others", std::nullopt, true});
  for (size_t i = 0; i < series.snapshots.size(); ++i) chart.columns.push_back(ColumnOf(series, i, names));
  return chart;
}

void AddFacts(Page& page, const Series& series, const Place& place) {
  const TakenSnapshot &first = series.snapshots.front(), &last = series.snapshots.back();
  page.facts.push_back({"Snapshots", GroupedCount(series.snapshots.size())});
  page.facts.push_back(
      {"From first to last",
       fmt::format("{} bytes, {} objects", GroupedDifference(static_cast<int64_t>(last.bytes - first.bytes)),
                   GroupedDifference(static_cast<int64_t>(last.objects - first.objects)))});
  Place other = place.Unarranged();
  other.by = place.by.empty() ? "namespace" : "";
  page.facts.push_back({"Stacked by", place.by.empty() ? "types; by namespaces" : "namespaces; by types", other});
  if (series.snapshots.size() > 1)
    page.facts.push_back(
        {"Reachable only", "compare first and last", Place{.view = View::kDiff, .files = {first.path, last.path}}});
}

void AddTable(Page& page, const Series& series, const Place& place) {
  std::vector<std::vector<TypeRow>> rows;
  for (const TakenSnapshot& snapshot : series.snapshots) rows.push_back(snapshot.rows);
  const bool by_type = series.group == GroupBy::kType;
  std::shared_ptr<const Table> table;
  if (rows.size() > 1)
    table = std::make_shared<DiffTable>(rows, false, DiffOrder::kBytes, by_type ? "Type" : "Namespace");
  else
    table = std::make_shared<TypesTable>(std::move(rows.front()), series.group, TypeOrder::kBytes);
  page.sections.push_back({by_type ? "Types over the series" : "Namespaces over the series", std::move(table),
                           by_type ? TypeLinks(place) : nullptr, "Nothing changed in objects or bytes.", ""});
}

}  // namespace

Result<Page> TimelinePage(const PageRequest& request) {
  Page page;
  page.heading = "How the heap grew";
  auto series = ReadSeries(request, page);
  if (!series) return tl::make_unexpected(std::move(series).error());
  for (const TakenSnapshot& snapshot : series->snapshots)
    if (!snapshot.session->GetSummary().complete)
      page.notices.push_back({Notice::Level::kBad, "INCOMPLETE: " + snapshot.path + " does not hold the whole heap.",
                              "Growth to and from it may be wrong; its overview says why."});
  if (request.place.files.size() == 1)
    page.notices.push_back({Notice::Level::kHint,
                            "One snapshot so far: others of its series come here as they are "
                            "taken."});
  AddFacts(page, *series, request.place);
  page.stack = ChartOf(*series, request.place);
  AddTable(page, *series, request.place);
  page.keeps = std::make_shared<Series>(std::move(*series));
  return page;
}

}  // namespace cairn::presentation
