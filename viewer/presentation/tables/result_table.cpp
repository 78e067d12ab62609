#include "viewer/presentation/tables/result_table.h"

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

void ResultTable::Columns(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    Column& column = columns_.emplace_back();
    column.key = column.title = name;
  }
}

bool ResultTable::Row(std::span<const sql::Value> cells) {
  if (rows_ == most_rows_) {
    is_cut_ = true;
    return false;
  }
  for (size_t i = 0; i < cells.size(); ++i) {
    if (rows_ == 0 && IsNumber(cells[i])) columns_[i].format = Format::kNumber;
    cells_.push_back(std::visit(CellWriter{}, cells[i]));
  }
  ++rows_;
  return true;
}

std::vector<Cell> ResultTable::Row(uint64_t row) const {
  const auto first = cells_.begin() + static_cast<long>(row * columns_.size());
  return {first, first + static_cast<long>(columns_.size())};
}

Cell ResultTable::At(uint64_t row, size_t column) const { return cells_.at(row * columns_.size() + column); }

}  // namespace cairn::presentation
