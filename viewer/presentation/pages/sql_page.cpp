// The answer to one SELECT, as a table like every other; without a statement, what can be asked.

#include <fmt/format.h>

#include <chrono>
#include <mutex>

#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/held_rows.h"
#include "viewer/presentation/tables/result_table.h"
#include "viewer/query/query.h"

namespace cairn::presentation {
namespace {

constexpr uint64_t kMostRows = 1'000'000;
constexpr std::chrono::minutes kMostTime{5};  // as cairn query
constexpr std::chrono::milliseconds kBetweenLooks{50};

using Sessions = std::vector<std::shared_ptr<session::SnapshotSession>>;

Result<Sessions> OpenAll(const PageRequest& request) {
  Sessions sessions;
  for (const std::string& file : request.place.files) {
    auto session = request.sessions.Get(file);
    if (!session) return tl::make_unexpected(std::move(session).error());
    sessions.push_back(std::move(*session));
  }
  return sessions;
}

// SQLite bounds its memory for the whole process: one query at a time.
Result<std::unique_lock<std::timed_mutex>> TakeTurn(const PageRequest& request) {
  std::unique_lock turn(request.sessions.QueryTurn(), std::defer_lock);
  while (!turn.try_lock_for(kBetweenLooks))
    if (request.work.Cancelled()) return analysis::WasCancelled();
  return turn;
}

Result<std::shared_ptr<const ResultTable>> Answer(const PageRequest& request, const Sessions& sessions) {
  const auto turn = TakeTurn(request);
  if (!turn) return tl::make_unexpected(turn.error());
  std::vector<session::SnapshotSession*> observed;
  for (const auto& session : sessions) observed.push_back(session.get());
  query::Query query(observed, request.work);
  auto table = std::make_shared<ResultTable>(kMostRows);
  sql::QueryLimits limits;
  limits.time = kMostTime;
  request.work.Begin("asking", 0);
  CAIRN_TRY(query.Run(request.place.sql, limits, *table));
  return std::shared_ptr<const ResultTable>(std::move(table));
}

// "object", "source" and the like lead to the object, "type" to objects of it. Of several files it is not known which.
CellLink ResultLinks(const Place& place) {
  if (place.files.size() != 1) return nullptr;
  return [place](const RowView& row, const std::string& column) -> std::optional<Place> {
    for (const char* name : {"object", "source", "target", "dominator", "accumulation_point"})
      if (column == name)
        if (const auto object = row.Number(column)) return place.OfObject(*object);
    if (column == "type" && !row.Text("type").empty()) return place.OfType(row.Text("type"));
    return std::nullopt;
  };
}

// "objects(snapshot, object, …)" as a row.
void AddTables(Page& page, const Place& place) {
  auto rows = std::make_shared<HeldRows>();
  const std::vector<Column> columns = {{"table", "Table"}, {"columns", "Columns"}};
  rows->Begin(columns);
  for (const std::string& line : query::Query::Tables()) {
    const size_t open = line.find('(');
    const std::vector<Cell> cells = {line.substr(0, open), line.substr(open + 1, line.size() - open - 2)};
    rows->Row(cells);
  }
  rows->End(0);
  const CellLink link = [place](const RowView& row, const std::string&) -> std::optional<Place> {
    return place.Asking("SELECT * FROM " + row.Text("table") + " LIMIT 100");
  };
  page.sections.push_back({"What can be asked", std::move(rows), link, "", "click one to see its first rows"});
}

void AddAnswer(Page& page, const Place& place, std::shared_ptr<const ResultTable> table) {
  page.facts.push_back({"Rows", GroupedCount(table->RowCount())});
  if (table->IsCut())
    page.notices.push_back({Notice::Level::kWarning,
                            fmt::format("These are the first {} rows; there are more.", GroupedCount(kMostRows)),
                            "Narrow the statement, or let cairn query --csv write all of them."});
  page.sections.push_back({"Result", std::move(table), ResultLinks(place), "No rows.", ""});
}

}  // namespace

Result<Page> SqlPage(const PageRequest& request) {
  auto opened = OpenPage(request, "SQL");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  if (request.place.sql.empty()) {
    AddTables(opened->page, request.place);
    return std::move(opened->page);
  }
  const auto sessions = OpenAll(request);
  if (!sessions) return tl::make_unexpected(sessions.error());
  auto table = Answer(request, *sessions);
  if (!table) return tl::make_unexpected(std::move(table).error());
  AddGraphProblems(*opened, request.work);
  AddAnswer(opened->page, request.place, std::move(*table));
  return std::move(opened->page);
}

}  // namespace cairn::presentation
