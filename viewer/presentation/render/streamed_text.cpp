#include "viewer/presentation/render/streamed_text.h"

#include "viewer/presentation/render/text_table.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {

void StreamedText::Begin(std::span<const Column> columns) {
  columns_.assign(columns.begin(), columns.end());
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  Line(titles);
}

bool StreamedText::Row(std::span<const Cell> cells) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < cells.size(); ++i) texts.push_back(TextOf(cells[i], columns_[i].format));
  return Line(texts);
}

bool StreamedText::Line(const std::vector<std::string>& texts) {
  std::string line;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (columns_[i].shown == Shown::kDataOnly) continue;
    const size_t have = DisplayWidth(texts[i]);
    const std::string blanks(widths_[i] > have ? widths_[i] - have : 0, ' ');
    if (!line.empty()) line += "  ";
    line += columns_[i].IsNumeric() ? blanks + texts[i] : texts[i] + blanks;
  }
  line.resize(line.find_last_not_of(' ') + 1);
  return sink_.Write(line + "\n");
}

}  // namespace cairn::presentation
