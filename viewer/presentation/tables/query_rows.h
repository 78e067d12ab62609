#pragma once
// The rows of a query, on their way into a table or a JSON document: never held, counted where they are cut.
// Thread rule: one thread. Ownership: observes the sinks.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "snapshot-format/sql/read_only_query.h"
#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

// As a table: numbers are right-aligned where the first row has numbers.
class QueryTableRows : public sql::ResultSink {
 public:
  // `before_rows` is called once, when the result starts.
  QueryTableRows(RowSink& sink, std::optional<uint64_t> top, std::function<void()> before_rows)
      : sink_(sink), top_(top), before_rows_(std::move(before_rows)) {}

  void Columns(const std::vector<std::string>& names) override;
  bool Row(std::span<const sql::Value> cells) override;
  void Finish();
  uint64_t RowCount() const { return rows_; }

 private:
  void Begin();

  RowSink& sink_;
  const std::optional<uint64_t> top_;
  const std::function<void()> before_rows_;
  std::vector<Column> columns_;
  bool begun_ = false;
  uint64_t rows_ = 0;
};

// As "columns" and "rows" of one document. It starts with the first row, or at its end: until then an error can be
// all that is printed.
class QueryJsonRows : public sql::ResultSink {
 public:
  // `head` gives the fields that come first; called once.
  QueryJsonRows(ByteSink& sink, std::optional<uint64_t> top, std::function<Json()> head)
      : sink_(sink), top_(top), head_(std::move(head)) {}

  void Columns(const std::vector<std::string>& names) override { names_ = names; }
  bool Row(std::span<const sql::Value> cells) override;
  bool HasBegun() const { return rows_.has_value(); }
  // An error after the first rows becomes a field beside them.
  void Finish(const Error* error);

 private:
  void Begin();

  ByteSink& sink_;
  const std::optional<uint64_t> top_;
  const std::function<Json()> head_;
  std::vector<std::string> names_;
  std::optional<JsonDocument> document_;
  std::optional<JsonDocument::Elements> rows_;
  uint64_t count_ = 0;
};

}  // namespace cairn::presentation
