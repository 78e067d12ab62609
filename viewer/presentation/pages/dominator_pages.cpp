// What an object, or the whole heap, keeps alive alone: as rows and as rectangles.

#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/dominators_table.h"
#include "viewer/session/dominance.h"

namespace cairn::presentation {
namespace {

using analysis::ObjectIndex;
using session::DominatedRow;

constexpr uint64_t kMostRows = 1'000'000;
// Tiles of one object; how deep they lie in each other; parts of less than this share of the whole are not looked for.
constexpr uint64_t kTiles = 400;
constexpr int kDepth = 8;
constexpr uint64_t kLeastShare = 500;
// Of the whole: a tile of less would be some pixels.
constexpr uint64_t kSeenShare = 50'000;

// The object the page is of (none: the whole heap), and the bytes that it retains: with its own, and without.
struct Subject {
  ObjectIndex object;
  uint64_t retained = 0, inside = 0;
};

Result<Subject> FindSubject(const PageRequest& request, session::SnapshotSession& session) {
  const auto dominance = session.Dominators(request.work);
  if (!dominance) return tl::make_unexpected(dominance.error());
  if (!request.place.object) {
    const uint64_t whole = (*dominance)->sizes.At((*dominance)->tree, analysis::DominatorTree::kVirtualRoot);
    return Subject{{}, whole, whole};
  }
  const uint64_t index = std::min(*request.place.object, analysis::kMaxGraphObjects);
  const auto info = session.Object(ObjectIndex(static_cast<uint32_t>(index)), request.work);
  if (!info) return tl::make_unexpected(info.error());
  return Subject{info->object, info->retained, info->retained - std::min(info->retained, info->bytes)};
}

std::string SubjectWords(const Place& place) {
  return place.object ? fmt::format("@{}", *place.object) : std::string("roots");
}

// The way up, so that one can leave where one has zoomed into.
void AddFacts(Page& page, const PageRequest& request, session::SnapshotSession& session, const Subject& subject) {
  const Place& place = request.place;
  page.facts.push_back({"Retained", FullBytes(subject.retained),
                        place.object ? std::optional(place.OfObject(*place.object)) : place.Of(View::kTypes)});
  if (!place.object) return;
  const auto info = session.Object(subject.object, request.work);
  if (!info) return;
  page.facts.push_back(
      {"Object", TypeName(session.GetSummary().types.at(info->type.value)), place.OfObject(*place.object)});
  if (info->dominator.Valid())
    page.facts.push_back(
        {"Up", fmt::format("@{}", info->dominator.value), place.OfObject(info->dominator.value, place.view)});
  else
    page.facts.push_back({"Up", "all roots", place.Of(place.view)});
}

class TileMaker {
 public:
  TileMaker(const PageRequest& request, session::SnapshotSession& session, uint64_t whole)
      : request_(request), session_(session), least_(whole / kLeastShare), seen_(whole / kSeenShare) {}

  Result<std::vector<Tile>> Tiles(ObjectIndex of, uint64_t inside, int depth) {
    const auto dominated = session_.DominatorChildren(of, kTiles, request_.work);
    if (!dominated) return tl::make_unexpected(dominated.error());
    std::vector<Tile> tiles;
    for (const DominatedRow& row : dominated->children) {
      if (row.retained < seen_) break;  // the largest come first
      auto tile = TileOf(row, depth);
      if (!tile) return tl::make_unexpected(std::move(tile).error());
      tiles.push_back(std::move(*tile));
    }
    AddRest(tiles, of, inside, dominated->total);
    return tiles;
  }

 private:
  // Without it an array of a million small objects would look empty.
  void AddRest(std::vector<Tile>& tiles, ObjectIndex of, uint64_t inside, uint64_t dominated) const {
    uint64_t bytes = inside;
    for (const Tile& tile : tiles) bytes -= std::min(bytes, tile.weight);
    const uint64_t objects = dominated - tiles.size();
    if (objects == 0 || bytes < std::max<uint64_t>(seen_, 1)) return;
    const std::string label = Counted(objects, "smaller one", "smaller ones");
    const Place& here = request_.place;
    Place place = of.Valid() ? here.OfObject(of.value, View::kDominators) : here.Of(View::kDominators);
    Tile rest{label, label + "\n" + FullBytes(bytes) + " retained by them together", bytes, std::move(place), {}, true};
    const auto at = std::find_if(tiles.begin(), tiles.end(), [&](const Tile& tile) { return tile.weight < bytes; });
    tiles.insert(at, std::move(rest));
  }

  Result<Tile> TileOf(const DominatedRow& row, int depth) {
    const std::string type = TypeName(session_.GetSummary().types.at(row.type.value));
    const bool has_parts = row.dominated > 0;
    Tile tile{type,
              fmt::format("@{} {}\n{} retained, {} of its own\n{}", row.object.value, type, FullBytes(row.retained),
                          FullBytes(row.bytes), Counted(row.dominated, "object dominated", "objects dominated")),
              row.retained, request_.place.OfObject(row.object.value, has_parts ? View::kTreemap : View::kObject)};
    if (depth <= 1 || !has_parts || row.retained < least_) return tile;
    auto parts = Tiles(row.object, row.retained - std::min(row.retained, row.bytes), depth - 1);
    if (!parts) return tl::make_unexpected(std::move(parts).error());
    tile.parts = std::move(*parts);
    return tile;
  }

  const PageRequest& request_;
  session::SnapshotSession& session_;
  uint64_t least_, seen_;
};

}  // namespace

Result<Page> DominatorsPage(const PageRequest& request) {
  auto opened = OpenPage(request, "Kept alive by " + SubjectWords(request.place) + " alone");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  const auto subject = FindSubject(request, *opened->session);
  if (!subject) return tl::make_unexpected(subject.error());
  auto children = opened->session->DominatorChildren(subject->object, kMostRows, request.work);
  if (!children) return tl::make_unexpected(std::move(children).error());
  AddGraphProblems(*opened, request.work);
  AddFacts(opened->page, request, *opened->session, *subject);
  auto table =
      std::make_shared<DominatorsTable>(opened->session->GetSummary(), std::move(*children), subject->retained);
  const std::string note =
      table->LeftOut() == 0 ? "" : fmt::format("and {} smaller ones", GroupedCount(table->LeftOut()));
  opened->page.sections.push_back(
      {"Dominated objects", std::move(table), ObjectLinks(request.place), "It keeps no other object alive.", note});
  return std::move(opened->page);
}

Result<Page> TreemapPage(const PageRequest& request) {
  auto opened = OpenPage(request, "Treemap of what " + SubjectWords(request.place) + " alone keep alive");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  const auto subject = FindSubject(request, *opened->session);
  if (!subject) return tl::make_unexpected(subject.error());
  auto tiles = TileMaker(request, *opened->session, subject->retained).Tiles(subject->object, subject->inside, kDepth);
  if (!tiles) return tl::make_unexpected(std::move(tiles).error());
  AddGraphProblems(*opened, request.work);
  AddFacts(opened->page, request, *opened->session, *subject);
  opened->page.tiles = std::move(*tiles);
  if (opened->page.tiles.empty())
    opened->page.notices.push_back({Notice::Level::kHint, "It keeps no other object alive."});
  return std::move(opened->page);
}

}  // namespace cairn::presentation
