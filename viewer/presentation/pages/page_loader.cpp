#include "viewer/presentation/pages/page_loader.h"

#include <algorithm>

#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/tables/arranged_table.h"

namespace cairn::presentation {
namespace {

constexpr size_t kKeptPages = 16;
constexpr long kKeptOrders = 2;  // of very many objects, at four bytes for each of them
constexpr uint64_t kManyObjects = 1'000'000;

// Objects are many: the orders that the session has come with the page; others are made of that by address.
bool IsOrderOfSession(const Place& place) {
  if (place.view != View::kObjects || place.sort.size() > 1) return false;
  if (place.sort.empty()) return true;
  const std::string& column = place.sort.front().column;
  return column == "retained" || column == "bytes" || column == "address" || column == "object";
}

Place KeyOf(const Place& place) {
  if (place.view != View::kObjects) return place.Unarranged();
  return IsOrderOfSession(place) ? place.Filtered("") : place.Filtered("").Sorted({{"address", true}});
}

// Addresses are texts; objects are numbered in their order.
std::vector<SortKey> SortOf(const Place& place) {
  std::vector<SortKey> keys = place.sort;
  if (place.view == View::kObjects)
    for (SortKey& key : keys)
      if (key.column == "address") key.column = "object";
  return keys;
}

Result<PagePointer> Arranged(PagePointer page, const Place& place, analysis::Work& work) {
  const std::string filter = place.view == View::kObjects ? "" : place.filter;
  if (page->sections.empty() || IsOrderOfSession(place) || (filter.empty() && place.sort.empty())) return page;
  auto rows = ArrangedTable::Arrange(page->sections.front().table, filter, SortOf(place), work);
  if (!rows) return tl::make_unexpected(std::move(rows).error());
  auto arranged = std::make_shared<Page>(*page);
  Section& section = arranged->sections.front();
  section.table = std::move(*rows);
  if (!filter.empty()) section.empty = "Nothing here holds '" + place.filter + "'.";
  return PagePointer(std::move(arranged));
}

using Builder = Result<Page> (*)(const PageRequest&);

Builder BuilderOf(View view) {
  switch (view) {
    case View::kStart:
      return nullptr;
    case View::kOverview:
      return OverviewPage;
    case View::kTypes:
      return TypesPage;
    case View::kObjects:
      return ObjectsPage;
    case View::kObject:
      return ObjectPage;
    case View::kPaths:
      return PathsPage;
    case View::kDominators:
      return DominatorsPage;
    case View::kTreemap:
      return TreemapPage;
    case View::kRoots:
      return RootsPage;
    case View::kSuspects:
      return SuspectsPage;
    case View::kDiff:
      return DiffPage;
    case View::kTimeline:
      return TimelinePage;
    case View::kSql:
      return SqlPage;
    case View::kNotes:
      return NotesPage;
    case View::kWaste:
      return WastePage;
    case View::kHeap:
      return HeapPage;
    case View::kContexts:
      return ContextsPage;
    case View::kAllocations:
      return AllocationsPage;
    case View::kFlame:
      return FlamePage;
    case View::kAllocationGraph:
      return AllocationGraphPage;
  }
  return nullptr;
}

Result<PagePointer> Built(Builder build, const PageRequest& request) {
  if (!build) return PagePointer();
  auto page = build(request);
  if (!page) return tl::make_unexpected(std::move(page).error());
  for (Section& section : page->sections) section.shown = ShownColumns(*section.table);
  return PagePointer(std::make_shared<Page>(std::move(*page)));
}

}  // namespace

Result<PagePointer> PageLoader::Preview(const Place& place, analysis::Work& work) {
  if (Kept(KeyOf(place))) return PagePointer();
  const auto asking = sessions_.Asking();
  const Builder build = place.view == View::kOverview ? OverviewPreview
                        : place.view == View::kTypes  ? TypesPreview
                                                      : nullptr;
  auto page = Built(build, {place, sessions_, work, notes_.get()});
  if (!page || !*page) return page;
  return Arranged(std::move(*page), place, work);
}

Result<PagePointer> PageLoader::Load(const Place& place, analysis::Work& work) {
  const auto asking = sessions_.Asking();
  auto page = Unarranged(place, work);
  if (!page || !*page) return page;
  return Arranged(std::move(*page), place, work);
}

Result<PagePointer> PageLoader::Unarranged(const Place& place, analysis::Work& work) {
  const Place key = KeyOf(place);
  if (PagePointer kept = Kept(key)) return kept;
  auto page = Built(BuilderOf(place.view), {key, sessions_, work, notes_.get()});
  if (page && *page && place.view != View::kNotes) Keep(key, *page);  // notes are written meanwhile
  return page;
}

PagePointer PageLoader::Kept(const Place& place) {
  const std::lock_guard lock(mutex_);
  const auto at = std::find_if(kept_.begin(), kept_.end(), [&](const auto& kept) { return kept.first == place; });
  if (at == kept_.end()) return nullptr;
  std::rotate(at, at + 1, kept_.end());
  return kept_.back().second;
}

void PageLoader::Keep(const Place& place, PagePointer page) {
  const std::lock_guard lock(mutex_);
  kept_.emplace_back(place, std::move(page));
  const auto is_long = [](const auto& kept) {
    return kept.first.view == View::kObjects && kept.second->sections.front().table->RowCount() >= kManyObjects;
  };
  if (std::count_if(kept_.begin(), kept_.end(), is_long) > kKeptOrders)
    kept_.erase(std::find_if(kept_.begin(), kept_.end(), is_long));
  if (kept_.size() > kKeptPages) kept_.erase(kept_.begin());
}

void PageLoader::Forget(const std::string& path) {
  sessions_.Close(path);
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](const auto& kept) {
    return std::find(kept.first.files.begin(), kept.first.files.end(), path) != kept.first.files.end();
  });
}

}  // namespace cairn::presentation
