#pragma once
// A table as text whose rows are printed at once, before the next are known: the widths are given, and a cell that
// is wider moves the rest of its line.

#include <string>
#include <vector>

#include "viewer/presentation/render/byte_sink.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

class StreamedText : public RowSink {
 public:
  // One width per column, those that text does not show included.
  StreamedText(ByteSink& sink, std::vector<size_t> widths) : sink_(sink), widths_(std::move(widths)) {}

  void Begin(std::span<const Column> columns) override;
  bool Row(std::span<const Cell> cells) override;
  void End(uint64_t) override {}

 private:
  bool Line(const std::vector<std::string>& texts);

  ByteSink& sink_;
  std::vector<size_t> widths_;
  std::vector<Column> columns_;
};

}  // namespace cairn::presentation
