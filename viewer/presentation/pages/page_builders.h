#pragma once
// The page of each view. Thread rule: pure functions apart from the sessions.

#include <memory>

#include "viewer/presentation/pages/page.h"
#include "viewer/presentation/pages/session_set.h"

namespace cairn::presentation {

class NoteBook;

struct PageRequest {
  Place place;  // without what is arranged afterwards
  SessionSet& sessions;
  analysis::Work& work;
  const NoteBook* notes = nullptr;
};

Result<Page> OverviewPreview(const PageRequest& request);
Result<Page> OverviewPage(const PageRequest& request);
Result<Page> TypesPreview(const PageRequest& request);
Result<Page> TypesPage(const PageRequest& request);
Result<Page> ObjectsPage(const PageRequest& request);
Result<Page> ObjectPage(const PageRequest& request);
Result<Page> PathsPage(const PageRequest& request);
Result<Page> DominatorsPage(const PageRequest& request);
Result<Page> TreemapPage(const PageRequest& request);
Result<Page> RootsPage(const PageRequest& request);
Result<Page> SuspectsPage(const PageRequest& request);
Result<Page> DiffPage(const PageRequest& request);
Result<Page> TimelinePage(const PageRequest& request);
Result<Page> WastePage(const PageRequest& request);
Result<Page> HeapPage(const PageRequest& request);
Result<Page> ContextsPage(const PageRequest& request);
Result<Page> SqlPage(const PageRequest& request);
Result<Page> NotesPage(const PageRequest& request);
Result<Page> AllocationsPage(const PageRequest& request);
Result<Page> FlamePage(const PageRequest& request);
Result<Page> AllocationGraphPage(const PageRequest& request);

// ---- what they share ----

// The session of the last file, and a page that keeps it and tells whether it is complete. `session` is one that can
// be asked for its graph, or whose damage the page tells of.
struct OpenedPage {
  std::shared_ptr<session::SnapshotSession> session;
  Page page;
};
Result<OpenedPage> OpenPage(const PageRequest& request, std::string heading);
// Adds what following the references brought to light.
void AddGraphProblems(OpenedPage& opened, analysis::Work& work);
// Adds an error that leaves the rest of the page standing.
void AddDamage(Page& page, const Error& error);

// Numbers of a row lead to objects of its type, its retained bytes to the paths that hold them.
CellLink TypeLinks(const Place& place);
// "object", "target" and the like lead to the object, retained bytes to what it dominates.
CellLink ObjectLinks(const Place& place);

}  // namespace cairn::presentation
