#include "viewer/presentation/tables/arranged_table.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "viewer/analysis/radix_sort.h"
#include "viewer/presentation/tables/row_keys.h"

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

struct SortColumn {
  size_t column = 0;
  bool ascending = false;
};

std::vector<SortColumn> SortColumns(const std::vector<Column>& columns, const std::vector<SortKey>& sort) {
  std::vector<SortColumn> found;
  for (const SortKey& key : sort)
    for (size_t i = 0; i < columns.size(); ++i)
      if (ColumnId(columns[i]) == key.column) found.push_back({i, key.ascending});
  return found;
}

// The rows that match; all of them where nothing is looked for.
Result<std::vector<uint32_t>> FilteredRows(const Table& table, const std::string& folded, Work& work) {
  std::vector<uint32_t> rows;
  if (folded.empty()) {
    rows.resize(table.RowCount());
    std::iota(rows.begin(), rows.end(), 0u);
    return rows;
  }
  work.Begin("filtering rows", table.RowCount());
  analysis::Stride stride(work);
  for (uint64_t row = 0; row < table.RowCount(); ++row) {
    if (!stride.Step()) return analysis::WasCancelled();
    if (Holds(table.Row(row), folded)) rows.push_back(static_cast<uint32_t>(row));
  }
  return rows;
}

// By the last key first: each sort leaves equal rows as the one before had them.
Status SortRows(const Table& table, const std::vector<SortColumn>& sort, std::vector<uint32_t>& rows, Work& work) {
  work.Begin("sorting rows", rows.size() * sort.size());
  for (auto column = sort.rbegin(); column != sort.rend(); ++column) {
    auto keys = ColumnKeys(table, column->column, rows, work);
    if (!keys) return tl::make_unexpected(std::move(keys).error());
    if (!analysis::SortByKeys(std::move(*keys), column->ascending, rows, work)) return analysis::WasCancelled();
  }
  return {};
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
  const std::vector<SortColumn> columns = SortColumns(arranged->table_->Columns(), sort);
  if (filter.empty() && columns.empty()) return arranged;
  if (arranged->table_->RowCount() > UINT32_MAX)
    return Fail(ErrorKind::kFailed, "table.too_long", "more than 4,294,967,295 rows cannot be sorted or filtered");
  if (work.Cancelled()) return analysis::WasCancelled();
  arranged->is_whole_ = false;
  auto rows = FilteredRows(*arranged->table_, Folded(filter), work);
  if (!rows) return tl::make_unexpected(std::move(rows).error());
  arranged->rows_ = std::move(*rows);
  if (!columns.empty()) CAIRN_TRY(SortRows(*arranged->table_, columns, arranged->rows_, work));
  return arranged;
}

}  // namespace cairn::presentation
