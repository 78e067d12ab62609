#include "viewer/presentation/place.h"

#include <algorithm>
#include <cassert>

namespace cairn::presentation {
namespace {

constexpr size_t kMany = SIZE_MAX;

// In the order of View. word, title, files, object, type, generation, kind, by, sql
constexpr ViewInfo kViews[] = {
    {View::kStart, "start", "Start", 0, 0, false, false, false, false},
    {View::kOverview, "overview", "Overview", 1, 1, false, false, false, false},
    {View::kTypes, "types", "Types", 1, 1, false, false, false, false},
    {View::kObjects, "objects", "Objects", 1, 1, false, true, true, false},
    {View::kObject, "object", "Object", 1, 1, true, false, false, false},
    {View::kPaths, "paths", "Paths", 1, 1, true, true, false, false},
    {View::kDominators, "dominators", "Dominators", 1, 1, true, false, false, false},
    {View::kTreemap, "treemap", "Treemap", 1, 1, true, false, false, false},
    {View::kRoots, "roots", "Roots", 1, 1, false, false, false, true},
    {View::kSuspects, "suspects", "Suspects", 1, 2, false, false, false, false},
    {View::kDiff, "diff", "Compare", 2, kMany, false, false, false, false},
    {View::kTimeline, "timeline", "Timeline", 1, kMany, false, false, false, false, true},
    {View::kWaste, "waste", "Waste", 1, 1, false, false, false, false},
    {View::kHeap, "heap", "Heap map", 1, 1, false, false, false, false},
    {View::kContexts, "contexts", "Load contexts", 1, 1, false, false, false, false},
    {View::kSql, "sql", "SQL", 1, kMany, false, false, false, false, false, true},
    {View::kNotes, "notes", "Notes", 1, 1, false, false, false, false},
    {View::kAllocations, "allocations", "Allocations", 1, 1, false, false, false, false},
    {View::kFlame, "flame", "Flame graph", 1, 1, false, false, false, false},
    {View::kAllocationGraph, "allocation-graph", "Allocation graph", 1, 1, false, false, false, false},
};

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string SubjectOf(const Place& place) {
  if (place.object) return " @" + std::to_string(*place.object);
  for (const std::string* text : {&place.type, &place.generation, &place.kind, &place.by})
    if (!text->empty()) return " " + *text;
  return {};
}

}  // namespace

std::span<const ViewInfo> Views() { return kViews; }

const ViewInfo& InfoOf(View view) {
  const ViewInfo& info = kViews[static_cast<size_t>(view)];
  assert(info.view == view);
  return info;
}

Place Place::Of(View other) const {
  Place place{.view = other, .files = files};
  const size_t most = InfoOf(other).most_files;
  if (place.files.size() > most) place.files.erase(place.files.begin(), place.files.end() - static_cast<long>(most));
  return place;
}

Place Place::OfObject(uint64_t index, View other) const {
  Place place = Of(other);
  place.object = index;
  return place;
}

Place Place::OfType(std::string pattern, View other) const {
  Place place = Of(other);
  place.type = std::move(pattern);
  return place;
}

Place Place::Sorted(std::vector<SortKey> keys) const {
  Place place = *this;
  place.sort = std::move(keys);
  return place;
}

Place Place::Filtered(std::string text) const {
  Place place = *this;
  place.filter = std::move(text);
  return place;
}

Place Place::Asking(std::string statement) const {
  Place place = Of(View::kSql);
  place.sql = std::move(statement);
  return place;
}

Place Place::Unarranged() const { return Sorted({}).Filtered(""); }

std::string TitleOf(const Place& place) {
  const std::string title = InfoOf(place.view).title + SubjectOf(place);
  if (place.files.empty()) return title;
  if ((place.view == View::kDiff || place.view == View::kTimeline) && place.files.size() > 1)
    return title + " · " + FileName(place.files.front()) + " → " + FileName(place.files.back());
  return title + " · " + FileName(place.files.back());
}

}  // namespace cairn::presentation
