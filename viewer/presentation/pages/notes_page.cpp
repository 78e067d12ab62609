// What people wrote about a snapshot and what is in it.

#include "viewer/presentation/note_book.h"
#include "viewer/presentation/object_name.h"
#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/tables/held_rows.h"

namespace cairn::presentation {
namespace {

constexpr const char* kWholeSnapshot = "the snapshot";

CellLink NoteLinks(const Place& place) {
  return [place](const RowView& row, const std::string&) -> std::optional<Place> {
    const std::string about = row.Text("about");
    if (about == kWholeSnapshot) return place.Of(View::kOverview);
    const auto name = ParseObjectName(about);
    if (about.starts_with('@') && name) return place.OfObject(name->value);
    return place.OfType(about);
  };
}

}  // namespace

Result<Page> NotesPage(const PageRequest& request) {
  auto opened = OpenPage(request, "Notes");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  auto rows = std::make_shared<HeldRows>();
  const std::vector<Column> columns = {{"about", "About"}, {"note", "Note"}};
  rows->Begin(columns);
  if (request.notes)
    for (const auto& [thing, text] : request.notes->Of(opened->page.subject->snapshot)) {
      const std::vector<Cell> cells = {thing.empty() ? kWholeSnapshot : thing, text};
      rows->Row(cells);
    }
  rows->End(0);
  opened->page.sections.push_back(
      {"Notes", std::move(rows), NoteLinks(request.place),
       "No notes yet. Ctrl-N writes one about the snapshot, or about the object or the type that is shown.", ""});
  return std::move(opened->page);
}

}  // namespace cairn::presentation
