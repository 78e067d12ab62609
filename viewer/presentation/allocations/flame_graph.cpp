#include "viewer/presentation/allocations/flame_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "viewer/presentation/allocations/flame_boxes.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/markup.h"

namespace cairn::presentation {

namespace {

using snapshot::AllocationTotal;
using snapshot::Sampling;

constexpr double kWidth = 1200, kRow = 18, kLetter = 6.6;
constexpr double kNarrowest = 0.5;  // of a box that is drawn
constexpr size_t kLines = 30;       // of the table below

// The same name has the same colour everywhere; types are blue, methods warm.
std::string ColourOf(const std::string& name, bool is_type) {
  uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  return fmt::format("hsl({},{}%,{}%)", is_type ? 200 + hash % 30 : 20 + hash % 35, 60 + hash / 64 % 20,
                     62 + hash / 4096 % 16);
}

class FlameDrawing {
 public:
  explicit FlameDrawing(const Sampling& sampling) : graph_(FlameGraphOf(sampling)), drawn_(graph_.boxes.size()) {}

  std::string Svg() {
    for (size_t i = 0; i < graph_.boxes.size(); ++i) Draw(i);
    return fmt::format(
        "<svg viewBox=\"0 0 {:.0f} {:.0f}\" width=\"100%\" role=\"img\" font-family=\"monospace\" font-size=\"11\">\n"
        "<title>Where bytes were allocated: the outermost method below</title>\n{}</svg>\n",
        kWidth, std::max(graph_.levels, 1u) * kRow, boxes_);
  }
  uint64_t NotDrawn() const { return not_drawn_; }

 private:
  double Scaled(uint64_t bytes) const {
    return kWidth * static_cast<double>(bytes) / static_cast<double>(std::max<uint64_t>(graph_.bytes, 1));
  }

  // What lies on a box that is not drawn is not drawn either, and is counted with it.
  void Draw(size_t index) {
    const FlameBox& box = graph_.boxes[index];
    if (box.parent && !drawn_[*box.parent]) return;
    drawn_[index] = Scaled(box.bytes) >= kNarrowest;
    if (drawn_[index])
      DrawBox(box, FlameWords(graph_, index));
    else
      not_drawn_ += box.bytes;
  }

  void DrawBox(const FlameBox& box, const std::string& words) {
    const double x = Scaled(box.start), width = Scaled(box.bytes), y = (graph_.levels - 1 - box.level) * kRow;
    const auto letters = static_cast<size_t>(std::max(width - 4, 0.0) / kLetter);
    boxes_ += fmt::format(
        "<g><title>{}</title><rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\" "
        "stroke=\"#fff\" stroke-width=\"0.5\"/>",
        EscapedLines(words), x, y, width, kRow - 1, ColourOf(box.name, box.is_type));
    if (letters >= 3)
      boxes_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.0f}\">{}</text>", x + 2, y + 12.5,
                            Escaped(Shortened(box.name, letters)));
    boxes_ += "</g>\n";
  }

  // The end of a name says most; never through the middle of a character.
  static std::string Shortened(const std::string& name, size_t letters) {
    if (name.size() <= letters) return name;
    size_t start = name.size() - (letters - 2);
    while (start < name.size() && (static_cast<uint8_t>(name[start]) & 0xC0) == 0x80) ++start;
    return ".." + name.substr(start);
  }

  FlameGraph graph_;
  std::vector<bool> drawn_;  // by box
  uint64_t not_drawn_ = 0;
  std::string boxes_;
};

std::string TableOf(const Sampling& sampling) {
  std::string html =
      "<table><tr><th>Bytes</th><th>Share</th><th>±</th><th>Objects</th><th>Samples</th><th>Type</th>"
      "<th>Mostly from</th></tr>\n";
  const uint64_t whole = AllocatedBytes(sampling);
  const std::vector<AllocationsOfType> rows = ByType(sampling);
  for (size_t i = 0; i < rows.size() && i < kLines; ++i) {
    const AllocationsOfType& row = rows[i];
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><th>{}</th>"
        "<td class=\"name\">{}</td></tr>\n",
        GroupedCount(row.sum.bytes), ShareWords(row.sum, whole), UncertaintyWords(sampling, row.sum),
        GroupedCount(row.sum.objects), GroupedCount(row.sum.samples), Escaped(row.type),
        Escaped(StackLine(sampling, row.stacks.front().stack, 3)));
  }
  if (rows.size() > kLines)
    html += fmt::format("<tr><td colspan=\"7\">… and {} more types</td></tr>\n", rows.size() - kLines);
  return html + "</table>\n";
}

// What tools take for a separator is none inside a name.
std::string Folded(std::string name) {
  for (char& c : name)
    if (c == ';' || c == '\n' || c == '\r') c = '_';
  return name;
}

}  // namespace

std::string FoldedStacks(const Sampling& sampling) {
  std::map<std::string, uint64_t> lines;
  for (const AllocationTotal& total : sampling.totals) {
    std::string line;
    for (const std::string& name : FlamePathOf(sampling, total)) line += (line.empty() ? "" : ";") + Folded(name);
    lines[line] += total.bytes;
  }
  std::string text;
  for (const auto& [line, bytes] : lines) text += fmt::format("{} {}\n", line, bytes);
  return text;
}

std::string FlameGraphPage(const AllocationReport& report, const std::string& title) {
  FlameDrawing drawing(report.sampling);
  const std::string svg = drawing.Svg();
  std::string notes;
  for (const std::string& note : AllocationNotes(report)) notes += "<li>" + Escaped(note) + "</li>\n";
  if (drawing.NotDrawn() > 0)
    notes += fmt::format("<li>{} bytes lie in boxes too narrow to be drawn</li>\n", GroupedCount(drawing.NotDrawn()));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<style>body{{font:14px sans-serif;margin:1.5em;max-width:1400px}}table{{border-collapse:collapse}}"
      "td,th{{padding:.15em "
      ".7em;text-align:right;font-weight:normal}}th,.name{{text-align:left;overflow-wrap:anywhere}}"
      "tr:first-child th{{font-weight:bold}}</style></head>\n<body><h1>{0}</h1>\n{1}<ul>\n{2}</ul>\n"
      "<h2>By type</h2>\n{3}</body></html>\n",
      Escaped(title), svg, notes, TableOf(report.sampling));
}

}  // namespace cairn::presentation
