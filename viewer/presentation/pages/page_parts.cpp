// What the pages of several views share.

#include <array>

#include "viewer/presentation/documents/problems.h"
#include "viewer/presentation/note_book.h"
#include "viewer/presentation/pages/page_builders.h"

namespace cairn::presentation {
namespace {

void AddProblem(Page& page, const snapshot::Problem& problem) {
  page.notices.push_back({problem.incomplete ? Notice::Level::kBad : Notice::Level::kWarning, problem.message,
                          ProblemAdvice(problem.code)});
}

// What of the snapshot a note of this page would be about.
std::string ThingOf(const Place& place) { return place.object ? "@" + std::to_string(*place.object) : place.type; }

}  // namespace

Result<OpenedPage> OpenPage(const PageRequest& request, std::string heading) {
  auto session = request.sessions.Get(request.place.files.back());
  if (!session) return tl::make_unexpected(std::move(session).error());
  OpenedPage opened{std::move(*session), {}};
  opened.page.heading = std::move(heading);
  opened.page.keeps = opened.session;
  const snapshot::Summary& summary = opened.session->GetSummary();
  opened.page.subject = {NoteNameOf(summary, opened.session->Path()), ThingOf(request.place)};
  if (!summary.complete)
    opened.page.notices.push_back(
        {Notice::Level::kBad, "INCOMPLETE: this snapshot does not hold the whole heap.",
         "What is shown is right for what was captured; sums and paths may miss something. The reasons follow."});
  for (const snapshot::Problem& problem : summary.problems) AddProblem(opened.page, problem);
  return opened;
}

void AddGraphProblems(OpenedPage& opened, analysis::Work& work) {
  const auto problems = opened.session->GraphProblems(work);
  if (!problems) return AddDamage(opened.page, problems.error());
  for (const snapshot::Problem& problem : *problems) AddProblem(opened.page, problem);
}

void AddDamage(Page& page, const Error& error) {
  const bool damaged = error.kind == ErrorKind::kDamaged;
  page.notices.push_back({Notice::Level::kBad, (damaged ? "DAMAGED: " : "") + error.message, error.hint});
}

CellLink TypeLinks(const Place& place) {
  return [place](const RowView& row, const std::string& column) -> std::optional<Place> {
    const std::string type = row.Text("type");
    if (type.empty()) return std::nullopt;
    if (column.starts_with("retained")) return place.OfType(type, View::kPaths);
    Place objects = place.OfType(type);
    objects.unreachable = column.starts_with("unreachable");
    if (column == "bytes") objects.sort = {{"bytes", false}};
    return objects;
  };
}

CellLink ObjectLinks(const Place& place) {
  return [place](const RowView& row, const std::string& column) -> std::optional<Place> {
    static constexpr std::array kNames = {"object", "target", "accumulation_point"};
    for (const char* name : kNames)
      if (const auto object = row.Number(name)) {
        const bool dominated = column == "retained" || column == "dominated" || column == "share";
        return place.OfObject(*object, dominated ? View::kDominators : View::kObject);
      }
    return std::nullopt;
  };
}

}  // namespace cairn::presentation
