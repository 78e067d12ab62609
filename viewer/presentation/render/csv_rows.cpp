#include "viewer/presentation/render/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

// Line breaks belong to the text and stay; RFC 4180 quotes them. What else is invisible is made visible.
std::string WithLineBreaks(const std::string& text) {
  std::string field;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const bool has_return = end < text.size() && end > at && text[end - 1] == '\r';
    field += VisibleText(std::string_view(text).substr(at, end - at - has_return));
    if (end < text.size()) field += has_return ? "\r\n" : "\n";
    at = end + 1;
  }
  return field;
}

std::string Quoted(const std::string& text) {
  std::string field = WithLineBreaks(text);
  const bool padded = !field.empty() && (field.front() == ' ' || field.back() == ' ');
  if (field.find_first_of(",\"\n") == std::string::npos && !padded) return field;
  for (size_t at = 0; (at = field.find('"', at)) != std::string::npos; at += 2) field.insert(at, 1, '"');
  return '"' + field + '"';
}

struct CsvWriter {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return Quoted(value); }
  template <class Number>
  std::string operator()(Number value) const {
    return fmt::format("{}", value);
  }
};

std::string Header(const Column& column) {
  return column.series ? fmt::format("{}_{}", column.key, *column.series + 1) : column.key;
}

std::string Record(const std::vector<std::string>& fields) { return fmt::format("{}\r\n", fmt::join(fields, ",")); }

}  // namespace

void CsvRows::Begin(std::span<const Column> columns) {
  std::vector<std::string> header;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].shown == Shown::kTextOnly) continue;
    shown_.push_back(i);
    header.push_back(Quoted(Header(columns[i])));
  }
  sink_.Write(Record(header));
}

bool CsvRows::Row(std::span<const Cell> cells) {
  std::vector<std::string> record;
  for (const size_t column : shown_) record.push_back(std::visit(CsvWriter{}, cells[column]));
  return sink_.Write(Record(record));
}

}  // namespace cairn::presentation
