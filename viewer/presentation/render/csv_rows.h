#pragma once
// A table as CSV (RFC 4180: CRLF, quotes doubled, a header line). Control characters in names are written as
// \u001b, so that a record is always one line and harmless on a terminal.

#include <vector>

#include "viewer/presentation/render/byte_sink.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

class CsvRows : public RowSink {
 public:
  explicit CsvRows(ByteSink& sink) : sink_(sink) {}

  void Begin(std::span<const Column> columns) override;
  bool Row(std::span<const Cell> cells) override;
  void End(uint64_t) override {}

 private:
  ByteSink& sink_;
  std::vector<size_t> shown_;  // columns
};

}  // namespace cairn::presentation
