#include "viewer/presentation/pages/page.h"

#include "viewer/presentation/tables/arranged_table.h"

namespace cairn::presentation {

const Cell* RowView::Find(const std::string& column) const {
  for (size_t i = 0; i < columns_.size() && i < cells_.size(); ++i)
    if (ColumnId(columns_[i]) == column) return &cells_[i];
  return nullptr;
}

std::optional<uint64_t> RowView::Number(const std::string& column) const {
  const Cell* cell = Find(column);
  if (!cell) return std::nullopt;
  if (const auto* number = std::get_if<uint64_t>(cell)) return *number;
  const auto* number = std::get_if<int64_t>(cell);
  return number && *number >= 0 ? std::optional(static_cast<uint64_t>(*number)) : std::nullopt;
}

std::string RowView::Text(const std::string& column) const {
  const Cell* cell = Find(column);
  const auto* text = cell ? std::get_if<std::string>(cell) : nullptr;
  return text ? *text : std::string();
}

}  // namespace cairn::presentation
