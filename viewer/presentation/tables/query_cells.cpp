#include "viewer/presentation/tables/query_cells.h"

namespace cairn::presentation {
namespace {

struct CellWriter {
  Cell operator()(std::monostate) const { return {}; }
  Cell operator()(int64_t number) const { return number; }
  Cell operator()(double number) const { return number; }
  Cell operator()(const std::string& text) const { return text; }
  Cell operator()(const sql::LastingText& text) const { return std::string(text.text); }
};

bool IsNumber(const sql::Value& value) {
  return std::holds_alternative<int64_t>(value) || std::holds_alternative<double>(value);
}

}  // namespace

Cell CellOf(const sql::Value& value) { return std::visit(CellWriter{}, value); }

std::vector<Column> QueryColumns(const std::vector<std::string>& names) {
  std::vector<Column> columns;
  for (const std::string& name : names) {
    Column& column = columns.emplace_back();
    column.key = column.title = name;
  }
  return columns;
}

void AlignBy(std::span<const sql::Value> first_row, std::vector<Column>& columns) {
  for (size_t i = 0; i < first_row.size(); ++i)
    if (IsNumber(first_row[i])) columns[i].format = Format::kNumber;
}

}  // namespace cairn::presentation
