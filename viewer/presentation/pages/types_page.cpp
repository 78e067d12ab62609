// Types, and objects of a type.

#include <fmt/format.h>

#include "viewer/presentation/file_heap_source.h"
#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/held_rows.h"
#include "viewer/presentation/tables/listed_objects_table.h"
#include "viewer/presentation/tables/objects_table.h"
#include "viewer/presentation/tables/types_table.h"

namespace cairn::presentation {
namespace {

void AddTypes(Page& page, const PageRequest& request, std::vector<TypeRow> rows, TypeOrder order) {
  auto table = std::make_shared<TypesTable>(std::move(rows), GroupBy::kType, order);
  page.facts.push_back(
      {"Objects", fmt::format("{}, {}", Counted(table->Objects(), "object", "objects"), FullBytes(table->Bytes()))});
  if (table->UnreachableObjects() > 0)
    page.facts.push_back({"Unreachable",
                          fmt::format("{}, {}", Counted(table->UnreachableObjects(), "object", "objects"),
                                      FullBytes(table->UnreachableBytes())),
                          [&] {
                            Place garbage = request.place.Of(View::kObjects);
                            garbage.unreachable = true;
                            return garbage;
                          }()});
  page.sections.push_back({"Types", std::move(table), TypeLinks(request.place), "The heap holds no object.", ""});
}

std::string ObjectsHeading(const Place& place) {
  std::string heading = place.unreachable ? "Unreachable objects" : "Objects";
  if (!place.type.empty()) heading += " of " + place.type;
  if (!place.generation.empty()) heading += " in " + place.generation;
  if (!place.path.empty()) heading += ", those of one path";
  return heading;
}

std::optional<snapshot::Generation> GenerationOf(const std::string& word) {
  for (unsigned i = 0; i < snapshot::kGenerationCount; ++i)
    if (word == snapshot::GenerationName(static_cast<snapshot::Generation>(i)))
      return static_cast<snapshot::Generation>(i);
  return std::nullopt;
}

session::ObjectOrder OrderOf(const Place& place) {
  const std::string column = place.sort.empty() ? "retained" : place.sort.front().column;
  if (column == "retained" && !place.unreachable) return session::ObjectOrder::kRetained;
  return column == "address" || column == "object" ? session::ObjectOrder::kAddress : session::ObjectOrder::kBytes;
}

Result<session::ObjectRequest> RequestOf(const Place& place, const snapshot::Summary& summary) {
  session::ObjectRequest request;
  request.order = OrderOf(place);
  request.limit = UINT64_MAX;
  request.generation = GenerationOf(place.generation);
  request.unreachable = place.unreachable;
  if (place.type.empty()) return request;
  const auto pattern = TypePattern::Parse(place.type);
  if (!pattern) return tl::make_unexpected(pattern.error());
  request.types = pattern->Select(TypeNames(summary));
  return request;
}

// The session gives addresses ascending and sizes descending.
bool IsReversed(const Place& place, session::ObjectOrder order) {
  return !place.sort.empty() && place.sort.front().ascending != (order == session::ObjectOrder::kAddress);
}

// Of a damaged file: the largest of those that can be read.
constexpr uint64_t kReadableRows = 100'000;

Result<Page> ReadableObjects(OpenedPage opened, const PageRequest& request, const session::ObjectRequest& wanted,
                             const Error& damage) {
  auto source = FileHeapSource::Open(request.place.files.back());
  if (!source) return tl::make_unexpected(std::move(source).error());
  auto rows = std::make_shared<HeldRows>();
  const ObjectsRequest readable{{wanted.types, wanted.generation}, FileOrder::kBytes, kReadableRows};
  const ObjectsShown shown = StreamObjects(**source, readable, *rows);
  AddDamage(opened.page, damage);
  opened.page.facts.push_back({"Readable objects, garbage included", Counted(shown.objects, "object", "objects")});
  const std::string note =
      rows->LeftOut() == 0 ? "" : fmt::format("and {} smaller ones", GroupedCount(rows->LeftOut()));
  opened.page.sections.push_back({"Objects", std::move(rows), nullptr, "None can be read.", note});
  return std::move(opened.page);
}

}  // namespace

Result<Page> TypesPreview(const PageRequest& request) {
  auto opened = OpenPage(request, "Types");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  AddTypes(opened->page, request, SummaryTypeRows(opened->session->GetSummary()), TypeOrder::kBytes);
  opened->page.is_preview = true;
  return std::move(opened->page);
}

Result<Page> TypesPage(const PageRequest& request) {
  auto opened = OpenPage(request, "Types");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  auto rows = SessionRows(*opened->session, GroupBy::kType, std::nullopt, request.work);
  if (!rows && rows.error().kind != ErrorKind::kDamaged) return tl::make_unexpected(std::move(rows).error());
  if (rows) {
    AddTypes(opened->page, request, std::move(*rows), TypeOrder::kRetained);
    AddGraphProblems(*opened, request.work);
  } else {
    AddDamage(opened->page, rows.error());
    AddTypes(opened->page, request, SummaryTypeRows(opened->session->GetSummary()), TypeOrder::kBytes);
  }
  return std::move(opened->page);
}

Result<Page> ObjectsPage(const PageRequest& request) {
  auto opened = OpenPage(request, ObjectsHeading(request.place));
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  auto wanted = RequestOf(request.place, opened->session->GetSummary());
  if (!wanted) return tl::make_unexpected(wanted.error());
  if (auto ready = opened->session->Dominators(request.work); !ready) {
    if (ready.error().kind != ErrorKind::kDamaged) return tl::make_unexpected(ready.error());
    return ReadableObjects(std::move(*opened), request, *wanted, ready.error());
  }
  if (!request.place.path.empty()) {
    auto only = opened->session->ObjectsOfPath(request.place.path, wanted->types, request.work);
    if (!only) return tl::make_unexpected(std::move(only).error());
    wanted->only = std::make_shared<const std::vector<bool>>(std::move(*only));
  }
  auto table =
      ListedObjectsTable::List(opened->session, *wanted, IsReversed(request.place, wanted->order), request.work);
  if (!table) return tl::make_unexpected(std::move(table).error());
  AddGraphProblems(*opened, request.work);
  Page& page = opened->page;
  page.facts.push_back({"Objects", fmt::format("{}, {}", Counted((*table)->RowCount(), "object", "objects"),
                                               FullBytes((*table)->Bytes()))});
  if (!request.place.path.empty())
    page.facts.push_back({"Of the type", "by every path", request.place.OfType(request.place.type)});
  if (!request.place.type.empty() && !request.place.unreachable)
    page.facts.push_back({"Held by", "paths from roots", request.place.OfType(request.place.type, View::kPaths)});
  page.sections.push_back({"Objects", std::move(*table), ObjectLinks(request.place),
                           "No object matches. A type is written as in: Shop.Order, Shop.*, /Order$/.", ""});
  return std::move(opened->page);
}

}  // namespace cairn::presentation
