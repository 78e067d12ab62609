// What memory is wasted on.

#include <fmt/format.h>

#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/waste_tables.h"

namespace cairn::presentation {
namespace {

// Of so many duplicates it is found out who holds the copies.
constexpr uint64_t kWithHolders = 100;

struct KeptWaste {
  std::shared_ptr<session::SnapshotSession> session;
  session::WasteAnswer answer;
};

// What was not captured, and what would capture it.
void AddMissing(Page& page, const snapshot::Summary& summary, const analysis::dotnet::Waste& waste) {
  const std::string capture = fmt::format("cairn capture {}", summary.process.pid);
  if (!waste.has_hashes)
    page.notices.push_back({Notice::Level::kHint, "Equal strings and arrays are not known.",
                            fmt::format("Capture with {} --strings hash", capture)});
  else if (summary.capture.strings != "all")
    page.notices.push_back(
        {Notice::Level::kHint, "Texts were not captured.", fmt::format("Capture with {} --strings all", capture)});
  if (!waste.has_counts)
    page.notices.push_back(
        {Notice::Level::kHint,
         "Counts of lists and dictionaries were not captured: only what the references tell is known."});
}

void AddSums(Page& page, const analysis::dotnet::Waste& waste) {
  uint64_t strings = 0, arrays = 0, unused = 0;
  for (const auto& row : waste.duplicates) (row.is_string ? strings : arrays) += row.Wasted();
  for (const auto& row : waste.collections) unused += row.wasted;
  const auto told = [&](uint64_t bytes) { return waste.has_hashes ? FullBytes(bytes) : std::string("not known"); };
  page.facts = {{"In copies of equal strings", told(strings)},
                {"Of equal arrays", told(arrays)},
                {"Not used in collections", FullBytes(unused)}};
}

// The copies of a string can be listed; of arrays the first one shows what they hold. What holds a copy is on its path.
CellLink DuplicateLinks(const Place& place) {
  return [place](const RowView& row, const std::string& column) -> std::optional<Place> {
    const auto example = row.Number("example");
    if (!example) return std::nullopt;
    if (column == "type") return place.OfType(row.Text("type"));
    if (column == "holders" || column == "text") return place.OfObject(*example, View::kPaths);
    if ((column == "copies" || column == "wasted") && row.Text("kind") == "string")
      return place.Asking(fmt::format(
          "SELECT object, bytes, text FROM strings WHERE hash = (SELECT hash FROM strings WHERE object = {})",
          *example));
    return place.OfObject(*example);
  };
}

}  // namespace

Result<Page> WastePage(const PageRequest& request) {
  auto opened = OpenPage(request, "What memory is wasted on");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  auto answer = session::FindWaste(*opened->session, kWithHolders, request.work);
  if (!answer) return tl::make_unexpected(std::move(answer).error());
  AddGraphProblems(*opened, request.work);
  const auto kept = std::make_shared<KeptWaste>(KeptWaste{opened->session, std::move(*answer)});
  const snapshot::Summary& summary = opened->session->GetSummary();
  opened->page.keeps = kept;
  AddMissing(opened->page, summary, kept->answer.waste);
  AddSums(opened->page, kept->answer.waste);
  const CellLink links = TypeLinks(request.place);
  opened->page.sections = {
      {"Equal contents", std::make_shared<DuplicatesTable>(summary, kept->answer), DuplicateLinks(request.place),
       "No copies are known.", "held by: what holds the first copies"},
      {"Collections and sparse arrays", std::make_shared<CollectionsTable>(summary, kept->answer), links,
       "No collection has more room than it needs.", ""},
      {"Boxed values", std::make_shared<TypeTotalsTable>(summary, kept->answer.waste.boxed), links,
       "There is no boxed value.", ""},
      {"Disposed and still held", std::make_shared<TypeTotalsTable>(summary, kept->answer.waste.disposed), links,
       "Nothing that was disposed is held.", ""}};
  return std::move(opened->page);
}

}  // namespace cairn::presentation
