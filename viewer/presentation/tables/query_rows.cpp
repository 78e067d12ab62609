#include "viewer/presentation/tables/query_rows.h"

#include <algorithm>

#include "viewer/presentation/documents/problems.h"
#include "viewer/presentation/render/json_number.h"
#include "viewer/presentation/tables/query_cells.h"

namespace cairn::presentation {
namespace {

struct JsonWriter {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(int64_t number) const { return number; }
  Json operator()(double number) const { return JsonNumber(number); }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(const sql::LastingText& text) const { return std::string(text.text); }
};

}  // namespace

void QueryTableRows::Columns(const std::vector<std::string>& names) { columns_ = QueryColumns(names); }

void QueryTableRows::Begin() {
  begun_ = true;
  before_rows_();
  sink_.Begin(columns_);
}

bool QueryTableRows::Row(std::span<const sql::Value> cells) {
  if (!begun_) {
    AlignBy(cells, columns_);
    Begin();
  }
  if (rows_++ >= top_.value_or(UINT64_MAX)) return true;  // counted to its end
  std::vector<Cell> row;
  for (const sql::Value& cell : cells) row.push_back(CellOf(cell));
  return sink_.Row(row);
}

void QueryTableRows::Finish() {
  if (!begun_) Begin();
  sink_.End(rows_ - std::min(rows_, top_.value_or(UINT64_MAX)));
}

void QueryJsonRows::Begin() {
  document_.emplace(sink_);
  document_->PutAll(head_());
  document_->Put("columns", names_);
  rows_.emplace(*document_, "rows");
}

bool QueryJsonRows::Row(std::span<const sql::Value> cells) {
  if (!rows_) Begin();
  if (count_++ >= top_.value_or(UINT64_MAX)) return false;
  Json row = Json::array();
  for (const sql::Value& cell : cells) row.push_back(std::visit(JsonWriter{}, cell));
  return rows_->Add(row);
}

void QueryJsonRows::Finish(const Error* error) {
  if (!rows_) Begin();
  rows_->Finish();
  if (error) document_->Put("error", ErrorDocument(*error)["error"]);
  document_->Finish();
}

}  // namespace cairn::presentation
