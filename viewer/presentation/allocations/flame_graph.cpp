#include "viewer/presentation/allocations/flame_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/markup.h"

namespace cairn::presentation {

namespace {

using snapshot::AllocationTotal;
using snapshot::Sampling;

constexpr double kWidth = 1200, kRow = 18, kLetter = 6.6;
constexpr double kNarrowest = 0.5;  // of a box that is drawn
constexpr size_t kLines = 30;       // of the table below

struct Node {
  std::map<std::string, Node> children;
  uint64_t bytes = 0, samples = 0;
  bool is_type = false;
};

// Outermost first, then the type.
std::vector<std::string> PathOf(const Sampling& sampling, const AllocationTotal& total) {
  std::vector<std::string> path = FramesOf(sampling, total.stack);
  std::ranges::reverse(path);
  path.push_back(total.type);
  return path;
}

Node TreeOf(const Sampling& sampling) {
  Node root;
  for (const AllocationTotal& total : sampling.totals) {
    Node* node = &root;
    node->bytes += total.bytes;
    node->samples += total.samples;
    for (const std::string& name : PathOf(sampling, total)) {
      node = &node->children[name];
      node->bytes += total.bytes;
      node->samples += total.samples;
    }
    node->is_type = true;
  }
  return root;
}

unsigned DepthOf(const Node& node) {
  unsigned deepest = 0;
  for (const auto& [name, child] : node.children) deepest = std::max(deepest, 1 + DepthOf(child));
  return deepest;
}

// The same name has the same colour everywhere; types are blue, methods warm.
std::string ColourOf(const std::string& name, bool is_type) {
  uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  return fmt::format("hsl({},{}%,{}%)", is_type ? 200 + hash % 30 : 20 + hash % 35, 60 + hash / 64 % 20,
                     62 + hash / 4096 % 16);
}

class FlameDrawing {
 public:
  explicit FlameDrawing(const Sampling& sampling)
      : root_(TreeOf(sampling)), depth_(DepthOf(root_)), whole_(std::max<uint64_t>(root_.bytes, 1)) {}

  std::string Svg() {
    DrawChildren(root_, 0, 0);
    return fmt::format(
        "<svg viewBox=\"0 0 {:.0f} {:.0f}\" width=\"100%\" role=\"img\" font-family=\"monospace\" font-size=\"11\">\n"
        "<title>Where bytes were allocated: the outermost method below</title>\n{}</svg>\n",
        kWidth, std::max(depth_, 1u) * kRow, boxes_);
  }
  uint64_t NotDrawn() const { return not_drawn_; }

 private:
  double WidthOf(const Node& node) const {
    return kWidth * static_cast<double>(node.bytes) / static_cast<double>(whole_);
  }

  // As deep as stacks are kept, and one more.
  void DrawChildren(const Node& node, double x, unsigned level) {
    for (const auto& [name, child] : node.children) {
      const double width = WidthOf(child);
      if (width >= kNarrowest) {
        DrawBox(name, child, x, level);
        DrawChildren(child, x, level + 1);
      } else {
        not_drawn_ += child.bytes;
      }
      x += width;
    }
  }

  void DrawBox(const std::string& name, const Node& node, double x, unsigned level) {
    const double width = WidthOf(node), y = (depth_ - 1 - level) * kRow;
    const auto letters = static_cast<size_t>(std::max(width - 4, 0.0) / kLetter);
    boxes_ += fmt::format(
        "<g><title>{}\n{} bytes ({:.1f} %), {} samples</title><rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" "
        "height=\"{:.0f}\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"0.5\"/>",
        Escaped(name), GroupedCount(node.bytes), 100 * static_cast<double>(node.bytes) / static_cast<double>(whole_),
        node.samples, x, y, width, kRow - 1, ColourOf(name, node.is_type));
    if (letters >= 3)
      boxes_ +=
          fmt::format("<text x=\"{:.2f}\" y=\"{:.0f}\">{}</text>", x + 2, y + 12.5, Escaped(Shortened(name, letters)));
    boxes_ += "</g>\n";
  }

  // The end of a name says most; never through the middle of a character.
  static std::string Shortened(const std::string& name, size_t letters) {
    if (name.size() <= letters) return name;
    size_t start = name.size() - (letters - 2);
    while (start < name.size() && (static_cast<uint8_t>(name[start]) & 0xC0) == 0x80) ++start;
    return ".." + name.substr(start);
  }

  Node root_;
  unsigned depth_;
  uint64_t whole_;
  uint64_t not_drawn_ = 0;
  std::string boxes_;
};

std::string TableOf(const Sampling& sampling) {
  std::string html =
      "<table><tr><th>Bytes</th><th>Objects</th><th>Samples</th><th>Type</th><th>Mostly from</th></tr>\n";
  const std::vector<AllocationsOfType> rows = ByType(sampling);
  for (size_t i = 0; i < rows.size() && i < kLines; ++i) {
    const AllocationsOfType& row = rows[i];
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><th>{}</th><td class=\"name\">{}</td></tr>\n",
                        GroupedCount(row.sum.bytes), GroupedCount(row.sum.objects), GroupedCount(row.sum.samples),
                        Escaped(row.type), Escaped(StackLine(sampling, row.stacks.front().stack, 3)));
  }
  if (rows.size() > kLines)
    html += fmt::format("<tr><td colspan=\"5\">… and {} more types</td></tr>\n", rows.size() - kLines);
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
    for (const std::string& name : PathOf(sampling, total)) line += (line.empty() ? "" : ";") + Folded(name);
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
      "td,th{{padding:.15em .7em;text-align:right;font-weight:normal}}th,.name{{text-align:left}}"
      "tr:first-child th{{font-weight:bold}}</style></head>\n<body><h1>{0}</h1>\n{1}<ul>\n{2}</ul>\n"
      "<h2>By type</h2>\n{3}</body></html>\n",
      Escaped(title), svg, notes, TableOf(report.sampling));
}

}  // namespace cairn::presentation
