#include "viewer/presentation/render/csv_rows.h"

#include <fmt/format.h>

#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

std::string Quoted(const std::string& text) {
  std::string field = VisibleText(text);
  const bool padded = !field.empty() && (field.front() == ' ' || field.back() == ' ');
  if (field.find_first_of(",\"") == std::string::npos && !padded) return field;
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
