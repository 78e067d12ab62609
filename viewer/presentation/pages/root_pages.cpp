// Roots, ranges and load contexts.

#include <fmt/format.h>

#include "viewer/presentation/documents/contexts_document.h"
#include "viewer/presentation/layouts/heap_map.h"
#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/generation_table.h"
#include "viewer/presentation/tables/heap_tables.h"
#include "viewer/presentation/tables/roots_table.h"
#include "viewer/session/heap_layout.h"
#include "viewer/session/load_contexts.h"

namespace cairn::presentation {
namespace {

constexpr uint64_t kHolders = 3;

CellLink KindLinks(const Place& place) {
  return [place](const RowView& row, const std::string&) -> std::optional<Place> {
    Place roots = place.Of(View::kRoots);
    roots.kind = row.Text("kind");
    return roots.kind.empty() ? std::nullopt : std::optional(roots);
  };
}

Place ObjectsOf(const Place& place, const std::string& generation) {
  Place objects = place.Of(View::kObjects);
  objects.generation = generation;
  return objects;
}

CellLink GenerationLinks(const Place& place) {
  return [place](const RowView& row, const std::string&) -> std::optional<Place> {
    const std::string generation = row.Text("generation");
    return generation.empty() ? std::nullopt : std::optional(ObjectsOf(place, generation));
  };
}

std::optional<snapshot::RootKind> KindOf(const std::string& word) {
  for (unsigned i = 0; i < stream::kRootKindCount; ++i)
    if (word == snapshot::RootKindName(static_cast<snapshot::RootKind>(i))) return static_cast<snapshot::RootKind>(i);
  return std::nullopt;
}

struct KeptLayout {
  std::shared_ptr<session::SnapshotSession> session;
  session::HeapLayout layout;
};

struct KeptContexts {
  std::shared_ptr<session::SnapshotSession> session;
  std::vector<session::LoadContext> contexts;
};

// Of a damaged file: what the sums of its ranges tell.
Page ReadableHeap(OpenedPage opened, const PageRequest& request, const Error& damage) {
  AddDamage(opened.page, damage);
  opened.page.sections.push_back({"Generations, by the sums of the file",
                                  std::make_shared<GenerationTable>(opened.session->GetSummary().ranges),
                                  GenerationLinks(request.place), "The heap has no range.", ""});
  return std::move(opened.page);
}

}  // namespace

Result<Page> RootsPage(const PageRequest& request) {
  const std::string& kind = request.place.kind;
  auto opened = OpenPage(request, kind.empty() ? "Roots" : "Roots: " + kind);
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  auto kinds = opened->session->RootsByKind(request.work);
  if (!kinds) return tl::make_unexpected(std::move(kinds).error());
  auto roots = opened->session->Roots(KindOf(kind), request.work);
  if (!roots) return tl::make_unexpected(std::move(roots).error());
  const auto graph = opened->session->Graph(request.work);
  AddGraphProblems(*opened, request.work);
  opened->page.facts.push_back({"Roots", GroupedCount(roots->size()), request.place.Of(View::kRoots)});
  opened->page.sections = {
      {kind.empty() ? "All roots" : "Roots of this kind",
       std::make_shared<RootsTable>(opened->session->GetSummary(), **graph, std::move(*roots)),
       ObjectLinks(request.place), "There is no such root.", ""},
      {"By kind", std::make_shared<RootKindsTable>(std::move(*kinds)), KindLinks(request.place), "", ""}};
  return std::move(opened->page);
}

Result<Page> HeapPage(const PageRequest& request) {
  auto opened = OpenPage(request, "How the heap lies in memory");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  auto layout = session::DescribeHeap(*opened->session, request.work);
  if (!layout && layout.error().kind == ErrorKind::kDamaged)
    return ReadableHeap(std::move(*opened), request, layout.error());
  if (!layout) return tl::make_unexpected(std::move(layout).error());
  auto map = MapHeap(*opened->session, request.work);
  if (!map) return tl::make_unexpected(std::move(map).error());
  AddGraphProblems(*opened, request.work);
  const auto kept = std::make_shared<KeptLayout>(KeptLayout{opened->session, std::move(*layout)});
  const snapshot::Summary& summary = opened->session->GetSummary();
  opened->page.keeps = kept;
  for (HeapStrip& strip : map->strips) strip.place = ObjectsOf(request.place, strip.name);
  opened->page.heap = std::move(*map);
  opened->page.sections = {
      {"Ranges", std::make_shared<HeapRangesTable>(summary, kept->layout, RangeOrder::kAddress),
       GenerationLinks(request.place), "The heap has no range.", ""},
      {"Generations", std::make_shared<HeapGenerationsTable>(summary, kept->layout), GenerationLinks(request.place), "",
       ""},
      {"Gaps by size", std::make_shared<GapsTable>(kept->layout), nullptr, "There is no gap.", ""}};
  return std::move(opened->page);
}

Result<Page> ContextsPage(const PageRequest& request) {
  auto opened = OpenPage(request, "Load contexts that can be unloaded");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  auto contexts = session::FindLoadContexts(*opened->session, kHolders, request.work);
  if (!contexts) return tl::make_unexpected(std::move(contexts).error());
  AddGraphProblems(*opened, request.work);
  const auto kept = std::make_shared<KeptContexts>(KeptContexts{opened->session, std::move(*contexts)});
  opened->page.keeps = kept;
  opened->page.sections.push_back(
      {"Contexts and who holds them", std::make_shared<ContextsTable>(opened->session->GetSummary(), kept->contexts),
       ObjectLinks(request.place), "No load context that could be unloaded is in memory.", ""});
  return std::move(opened->page);
}

}  // namespace cairn::presentation
