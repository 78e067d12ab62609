// One object, and the paths that keep objects alive.

#include <fmt/format.h>

#include "viewer/presentation/documents/object_document.h"
#include "viewer/presentation/documents/path_document.h"
#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/root_words.h"
#include "viewer/presentation/type_pattern.h"

namespace cairn::presentation {
namespace {

using analysis::ObjectIndex;
using session::PathRequest;
using session::RootPaths;

// Of fields, elements and referrers: what one can still look through.
constexpr uint64_t kMostFields = 100'000;
constexpr uint64_t kPathsOfObject = 5, kPathsOfType = 50, kMostSteps = 1000;

// Tables refer to what they show; this keeps it.
template <class Shown>
struct KeptWith {
  std::shared_ptr<session::SnapshotSession> session;
  Shown shown;
};
template <class Shown>
std::shared_ptr<KeptWith<Shown>> Keep(OpenedPage& opened, Shown shown) {
  auto kept = std::make_shared<KeptWith<Shown>>(KeptWith<Shown>{opened.session, std::move(shown)});
  opened.page.keeps = kept;
  return kept;
}

std::string MoreNote(uint64_t left_out) {
  return left_out == 0 ? "" : fmt::format("and {} more, which are not shown", GroupedCount(left_out));
}

void AddIdentity(Page& page, const Place& place, const ObjectDocument& document) {
  const session::ObjectInfo& object = document.object;
  const std::string type = TypeName(document.summary->types.at(object.type.value));
  page.facts = {
      {"Type", type, place.OfType(type)}, {"Address", HexAddress(object.address)}, {"Size", FullBytes(object.bytes)}};
  if (object.reachable) {
    page.facts.push_back(
        {"Retains", FullBytes(object.retained), place.OfObject(object.object.value, View::kDominators)});
    if (object.dominator.Valid())
      page.facts.push_back(
          {"Kept alive by",
           fmt::format("@{} {} alone", object.dominator.value, TypeName(document.graph->TypeInfo(object.dominator))),
           place.OfObject(object.dominator.value)});
    else
      page.facts.push_back({"Kept alive by", "no single object"});
    page.facts.push_back({"Held by", "paths from roots", place.OfObject(object.object.value, View::kPaths)});
  } else {
    page.facts.push_back({"Reachable", "no: nothing keeps it alive"});
  }
  page.facts.push_back({"Generation", snapshot::GenerationName(object.generation)});
  if (document.summary->sampling) page.facts.push_back({"Allocated", AllocatedWords(document)});
  for (const session::RootInfo& root : document.roots)
    page.facts.push_back({"Root", RootWords(*document.summary, root)});
}

Section PathSectionOf(const snapshot::Summary& summary, const RootPaths& paths, const Place& place) {
  const uint64_t unseen = paths.total - paths.paths.size();
  return {"Paths from roots", std::make_shared<PathTable>(summary, paths), ObjectLinks(place),
          "Nothing keeps it alive: no path from a root.",
          unseen == 0 ? "" : fmt::format("and {}", Counted(unseen, "more path", "more paths"))};
}

struct ObjectAndPaths {
  ObjectDocument document;
  RootPaths paths;
};

Result<PathRequest> PathsWanted(const Place& place, const snapshot::Summary& summary) {
  PathRequest request;
  request.with_retained = true;
  request.max_steps = kMostSteps;
  if (place.object) {
    request.object = ObjectIndex(static_cast<uint32_t>(*place.object));
    request.limit = kPathsOfObject;
    return request;
  }
  request.limit = kPathsOfType;
  if (place.type.empty()) return request;
  const auto pattern = TypePattern::Parse(place.type);
  if (!pattern) return tl::make_unexpected(pattern.error());
  request.types = pattern->Select(TypeNames(summary));
  return request;
}

// An index past every graph is told in the same words as one past this one.
uint64_t GraphIndex(uint64_t index) { return std::min(index, analysis::kMaxGraphObjects); }

}  // namespace

Result<Page> ObjectPage(const PageRequest& request) {
  const uint64_t index = GraphIndex(request.place.object.value_or(0));
  auto opened = OpenPage(request, fmt::format("Object @{}", index));
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  const ObjectIndex object(static_cast<uint32_t>(index));
  auto document = MakeObjectDocument(*opened->session, object, kMostFields, request.work);
  if (!document) return tl::make_unexpected(std::move(document).error());
  const auto wanted = PathsWanted(request.place.OfObject(index), opened->session->GetSummary());
  auto paths = opened->session->Paths(*wanted, request.work);
  if (!paths) return tl::make_unexpected(std::move(paths).error());
  AddGraphProblems(*opened, request.work);
  const auto kept = Keep(*opened, ObjectAndPaths{std::move(*document), std::move(*paths)});
  const ObjectDocument& shown = kept->shown.document;
  AddIdentity(opened->page, request.place, shown);
  const CellLink links = ObjectLinks(request.place);
  opened->page.sections = {
      {"Fields", std::make_shared<FieldsTable>(shown), links, "It has no fields.", MoreNote(shown.fields.omitted)},
      {"Referrers", std::make_shared<ReferrersTable>(shown), links, "No object refers to it.",
       MoreNote(shown.referrers.total - shown.referrers.referrers.size())},
      PathSectionOf(opened->session->GetSummary(), kept->shown.paths, request.place)};
  return std::move(opened->page);
}

Result<Page> PathsPage(const PageRequest& request) {
  const Place& place = request.place;
  const std::string subject = place.object          ? fmt::format("@{}", *place.object)
                              : !place.type.empty() ? place.type
                                                    : std::string("all objects");
  auto opened = OpenPage(request, "What keeps " + subject + " alive");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  const auto wanted = PathsWanted(place, opened->session->GetSummary());
  if (!wanted) return tl::make_unexpected(wanted.error());
  auto paths = opened->session->Paths(*wanted, request.work);
  if (!paths) return tl::make_unexpected(std::move(paths).error());
  AddGraphProblems(*opened, request.work);
  const auto kept = Keep(*opened, std::move(*paths));
  Page& page = opened->page;
  page.facts.push_back({"Reachable", Counted(kept->shown.objects, "object", "objects"),
                        place.object ? place.OfObject(*place.object) : place.OfType(place.type)});
  if (kept->shown.unreachable > 0)
    page.facts.push_back({"Unreachable", Counted(kept->shown.unreachable, "object", "objects")});
  page.sections.push_back(PathSectionOf(opened->session->GetSummary(), kept->shown, place));
  return std::move(opened->page);
}

}  // namespace cairn::presentation
