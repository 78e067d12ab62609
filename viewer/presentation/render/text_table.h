#pragma once
// A table as aligned text. Holds the rows it prints, which the caller has cut for reading.

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/presentation/render/byte_sink.h"
#include "viewer/presentation/render/text_style.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

class TextTable : public RowSink {
 public:
  TextTable(ByteSink& sink, TextStyle style) : sink_(sink), style_(style) {}

  void Begin(std::span<const Column> columns) override;
  bool Row(std::span<const Cell> cells) override;
  void End(uint64_t rows_left_out) override;

 private:
  std::vector<size_t> ShownColumns() const;
  bool IsEmpty(size_t column) const;
  std::vector<size_t> Widths(const std::vector<size_t>& shown) const;
  std::string Line(const std::vector<std::string>& cells, const std::vector<size_t>& shown,
                   const std::vector<size_t>& widths) const;
  std::vector<std::string> Titles() const;

  ByteSink& sink_;
  TextStyle style_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> has_value_;  // per column
};

// One cell as it stands in text.
std::string TextOf(const Cell& cell, Format format);

}  // namespace cairn::presentation
