#include "viewer/presentation/tables/arranged_table.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace cairn::presentation {
namespace {

using analysis::Work;

char Small(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::string Folded(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), Small);
  return text;
}

bool Holds(const std::vector<Cell>& cells, const std::string& folded) {
  return std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) {
    const auto* text = std::get_if<std::string>(&cell);
    return text && Folded(*text).find(folded) != std::string::npos;
  });
}

// What a column without any value shows in its first rows.
constexpr uint64_t kRowsLookedAt = 10'000;

bool IsNothing(const Cell& cell) {
  const auto* count = std::get_if<uint64_t>(&cell);
  return std::holds_alternative<std::monostate>(cell) || (count && *count == 0);
}

// Without a value first, then as the kinds of Cell; within one column they are all of one kind.
bool Less(const Cell& a, const Cell& b) { return a < b; }

// The cells of one sort column, in the order of `rows`.
struct SortColumn {
  size_t column = 0;
  bool ascending = false;
  std::vector<Cell> cells;
};

std::vector<SortColumn> SortColumns(const Table& table, const std::vector<SortKey>& sort) {
  const std::vector<Column> columns = table.Columns();
  std::vector<SortColumn> found;
  for (const SortKey& key : sort)
    for (size_t i = 0; i < columns.size(); ++i)
      if (ColumnId(columns[i]) == key.column) found.push_back({i, key.ascending, {}});
  return found;
}

// Reads the table once: which rows match, and what they are sorted by.
Status ReadRows(const Table& table, const std::string& folded, std::vector<SortColumn>& sort,
                std::vector<uint32_t>& rows, Work& work) {
  const uint64_t count = table.RowCount();
  work.Begin("reading rows", count);
  analysis::Stride stride(work);
  for (uint64_t row = 0; row < count; ++row) {
    if (!stride.Step()) return analysis::WasCancelled();
    std::vector<Cell> cells = table.Row(row);
    if (!folded.empty() && !Holds(cells, folded)) continue;
    rows.push_back(static_cast<uint32_t>(row));
    for (SortColumn& column : sort) column.cells.push_back(cells[column.column]);
  }
  return {};
}

void SortRows(const std::vector<SortColumn>& sort, std::vector<uint32_t>& rows) {
  std::vector<uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    for (const SortColumn& column : sort) {
      const Cell &first = column.cells[column.ascending ? a : b], &second = column.cells[column.ascending ? b : a];
      if (Less(first, second)) return true;
      if (Less(second, first)) return false;
    }
    return false;
  });
  for (uint32_t& position : order) position = rows[position];
  rows = std::move(order);
}

}  // namespace

std::vector<size_t> ShownColumns(const Table& table) {
  const std::vector<Column> columns = table.Columns();
  std::vector<bool> has_value(columns.size());
  for (uint64_t row = 0; row < std::min(table.RowCount(), kRowsLookedAt); ++row) {
    const std::vector<Cell> cells = table.Row(row);
    for (size_t i = 0; i < cells.size(); ++i) has_value[i] = has_value[i] || !IsNothing(cells[i]);
  }
  std::vector<size_t> shown;
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].shown != Shown::kDataOnly && (has_value[i] || !columns[i].hide_if_empty)) shown.push_back(i);
  std::stable_sort(shown.begin(), shown.end(), [&](size_t a, size_t b) { return columns[a].place < columns[b].place; });
  return shown;
}

std::string ColumnId(const Column& column) {
  if (column.series) return column.key + "_" + std::to_string(*column.series + 1);
  if (!column.key.empty()) return column.key;
  std::string id = Folded(column.title);
  std::replace(id.begin(), id.end(), ' ', '_');
  return id;
}

Result<std::shared_ptr<const ArrangedTable>> ArrangedTable::Arrange(std::shared_ptr<const Table> table,
                                                                    const std::string& filter,
                                                                    const std::vector<SortKey>& sort, Work& work) {
  std::shared_ptr<ArrangedTable> arranged(new ArrangedTable(std::move(table)));
  std::vector<SortColumn> columns = SortColumns(*arranged->table_, sort);
  if (filter.empty() && columns.empty()) return arranged;
  if (arranged->table_->RowCount() > UINT32_MAX)
    return Fail(ErrorKind::kFailed, "table.too_long", "more than 4,294,967,295 rows cannot be sorted or filtered");
  arranged->is_whole_ = false;
  CAIRN_TRY(ReadRows(*arranged->table_, Folded(filter), columns, arranged->rows_, work));
  if (work.Cancelled()) return analysis::WasCancelled();
  work.Begin("sorting rows", 0);
  if (!columns.empty()) SortRows(columns, arranged->rows_);
  return arranged;
}

}  // namespace cairn::presentation
