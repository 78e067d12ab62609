#include "viewer/presentation/tables/series.h"

namespace cairn::presentation {
namespace {

const char* PlaceInSeries(size_t number, size_t count) {
  if (count == 2) return number == 0 ? "before" : "after";
  return number == 0 ? "first" : "last";
}

}  // namespace

void AddSeries(std::vector<Column>& columns, const std::string& key, const std::string& title, Format format,
               size_t count, int place) {
  for (size_t s = 0; s < count; ++s) {
    Column column{key, title + " " + PlaceInSeries(s, count), format};
    if (s > 0 && s + 1 < count) column.shown = Shown::kDataOnly;
    column.series = s;
    column.place = place;
    columns.push_back(std::move(column));
  }
}

Column TrendColumn(int place) {
  Column column{"", "Trend", Format::kText, Shown::kTextOnly};
  column.place = place;
  return column;
}

Column AllocatedColumn(int place) {
  Column column{"allocated", "Allocated at"};
  column.hide_if_empty = true;
  column.place = place;
  return column;
}

Cell AllocatedCell(const AllocatedByType& allocated, const std::string& type,
                   const std::optional<std::string>& module) {
  const auto at = allocated.find({type, module});
  return at == allocated.end() ? Cell() : Cell(at->second);
}

}  // namespace cairn::presentation
