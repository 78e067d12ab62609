#include "viewer/presentation/render/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

constexpr std::string_view kBetween = "  ";
constexpr size_t kNarrowestText = 16;

struct TextWriter {
  Format format;

  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return VisibleText(value); }
  std::string operator()(int64_t value) const {
    return format == Format::kDifference ? GroupedDifference(value) : fmt::format("{}", value);
  }
  std::string operator()(uint64_t value) const {
    if (format == Format::kObject) return fmt::format("@{}", value);
    return format == Format::kNumber ? fmt::format("{}", value) : GroupedCount(value);
  }
};

bool IsNothing(const Cell& cell) {
  const auto* count = std::get_if<uint64_t>(&cell);
  return std::holds_alternative<std::monostate>(cell) || (count != nullptr && *count == 0);
}

std::string Padded(const std::string& text, size_t width, bool right) {
  const size_t have = DisplayWidth(text);
  const std::string blanks(width > have ? width - have : 0, ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

std::string TextOf(const Cell& cell, Format format) { return std::visit(TextWriter{format}, cell); }

void TextTable::Begin(std::span<const Column> columns) {
  columns_.assign(columns.begin(), columns.end());
  has_value_.assign(columns.size(), false);
}

bool TextTable::Row(std::span<const Cell> cells) {
  std::vector<std::string> row;
  for (size_t i = 0; i < cells.size(); ++i) {
    has_value_[i] = has_value_[i] || !IsNothing(cells[i]);
    row.push_back(TextOf(cells[i], columns_[i].format));
  }
  rows_.push_back(std::move(row));
  return true;
}

bool TextTable::IsEmpty(size_t column) const { return columns_[column].hide_if_empty && !has_value_[column]; }

std::vector<size_t> TextTable::ShownColumns() const {
  std::vector<size_t> shown;
  for (size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].shown != Shown::kDataOnly && !IsEmpty(i)) shown.push_back(i);
  std::stable_sort(shown.begin(), shown.end(),
                   [&](size_t a, size_t b) { return columns_[a].place < columns_[b].place; });
  return shown;
}

std::vector<std::string> TextTable::Titles() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  return titles;
}

// Column widths; where a terminal is too narrow, the widest text column gives way.
std::vector<size_t> TextTable::Widths(const std::vector<size_t>& shown) const {
  std::vector<size_t> widths;
  for (const size_t column : shown) {
    size_t width = DisplayWidth(columns_[column].title);
    for (const auto& row : rows_) width = std::max(width, DisplayWidth(row[column]));
    widths.push_back(width);
  }
  const size_t between = kBetween.size() * (shown.empty() ? 0 : shown.size() - 1);
  const size_t total = std::accumulate(widths.begin(), widths.end(), between);
  if (style_.width == 0 || total <= style_.width) return widths;
  size_t* widest = nullptr;
  for (size_t i = 0; i < shown.size(); ++i)
    if (columns_[shown[i]].format == Format::kText && (!widest || widths[i] > *widest)) widest = &widths[i];
  const size_t excess = total - style_.width;
  if (widest && *widest > kNarrowestText)
    *widest = *widest > excess + kNarrowestText ? *widest - excess : kNarrowestText;
  return widths;
}

std::string TextTable::Line(const std::vector<std::string>& cells, const std::vector<size_t>& shown,
                            const std::vector<size_t>& widths) const {
  std::string line;
  for (size_t i = 0; i < shown.size(); ++i) {
    if (i > 0) line += kBetween;
    line += Padded(Shortened(cells[shown[i]], widths[i]), widths[i], columns_[shown[i]].IsNumeric());
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

void TextTable::End(uint64_t rows_left_out) {
  const std::vector<size_t> shown = ShownColumns(), widths = Widths(shown);
  if (!rows_.empty()) sink_.Write(style_.Bold(Line(Titles(), shown, widths)) + "\n");
  for (const auto& row : rows_) sink_.Write(Line(row, shown, widths) + "\n");
  if (rows_left_out > 0)
    sink_.Write(
        style_.Faint(fmt::format("… {} more {}", GroupedCount(rows_left_out), rows_left_out == 1 ? "row" : "rows")) +
        "\n");
}

}  // namespace cairn::presentation
