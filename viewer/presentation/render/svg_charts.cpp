#include "viewer/presentation/render/svg_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/layouts/treemap.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/markup.h"
#include "viewer/presentation/root_words.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

constexpr double kWidth = 960, kMapHeight = 420;
constexpr double kLetter = 6.6;  // of the 11 pixel font, on average

// What fits into so many pixels; nothing where it would say nothing.
std::string Fitting(const std::string& text, double width) {
  const double letters = (width - 8) / kLetter;
  return letters < 4 ? std::string() : Shortened(VisibleText(text), static_cast<size_t>(letters));
}

// "Shop.Cache<System.String, Shop.Order>+Entry[]" → "Cache<String, Order>+Entry[]": names without namespaces.
std::string ShortName(std::string_view name) {
  std::string out;
  size_t word = 0;  // where the current word began in `out`
  for (const char c : name) {
    if (c == '.') {
      out.resize(word);
      continue;
    }
    out += c;
    if (std::string_view("<>,+[] ()*&").find(c) != std::string_view::npos) word = out.size();
  }
  return out;
}

std::string Rect(const Rectangle& at, std::string_view css) {
  return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", css, at.x,
                     at.y, std::max(at.width, 0.0), std::max(at.height, 0.0));
}

std::string Label(double x, double y, std::string_view text, std::string_view css = "label") {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", css, x, y, Escaped(text));
}

std::string Svg(double height, std::string_view title, const std::string& content) {
  return fmt::format("<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\"{}>{}</svg>\n",
                     kWidth, height, Attribute("aria-label", title), content);
}

Rectangle Inset(const Rectangle& area, double side, double top) {
  return {area.x + side, area.y + top, area.width - 2 * side, area.height - top - side};
}

class TreemapDrawing {
 public:
  explicit TreemapDrawing(uint64_t whole) : whole_(whole) {}

  std::string Draw(std::span<const HeapTile> tiles, const Rectangle& area, int level) {
    std::vector<uint64_t> weights;
    for (const HeapTile& tile : tiles) weights.push_back(tile.retained);
    const std::vector<Rectangle> places = Treemap(weights, area);
    std::string text;
    for (size_t i = 0; i < tiles.size(); ++i)
      if (places[i].width >= 1 && places[i].height >= 1) text += Tile(tiles[i], places[i], level, i);
    return text;
  }

 private:
  // The parts take the share of the area that they have of the whole; what the object takes itself stays its own.
  std::string Tile(const HeapTile& tile, const Rectangle& at, int level, size_t number) {
    std::string text = "<g>" + fmt::format("<title>{}: {} ({})</title>", Escaped(tile.label),
                                           Escaped(FullBytes(tile.retained)), Percentage(tile.retained, whole_));
    text += Rect(at, fmt::format("tile{} hue{}", level, number % 6));
    const std::string label = at.height >= 16 ? Fitting(ShortName(tile.label), at.width) : std::string();
    if (!label.empty()) text += Label(at.x + 4, at.y + 12, label);
    if (!label.empty() && at.height >= 32 && at.width >= 60)
      text += Label(at.x + 4, at.y + 25, HumanBytes(tile.retained), "label faint");
    text += "</g>";
    if (tile.parts.empty() || at.width < 60 || at.height < 60) return text;
    return text + Draw(tile.parts, PartsArea(tile, Inset(at, 3, 30)), level + 1);
  }

  static Rectangle PartsArea(const HeapTile& tile, Rectangle area) {
    uint64_t parts = 0;
    for (const HeapTile& part : tile.parts) parts += part.retained;
    const double share = std::min(1.0, static_cast<double>(parts) / static_cast<double>(tile.retained));
    (area.width >= area.height ? area.width : area.height) *= share;
    return area;
  }

  uint64_t whole_;
};

}  // namespace

std::string TreemapSvg(std::span<const HeapTile> tiles, uint64_t whole) {
  return Svg(kMapHeight, "Reachable objects by retained size",
             TreemapDrawing(whole).Draw(tiles, {0, 0, kWidth, kMapHeight}, 0));
}

std::string GrowthSvg(std::span<const TypeGrowth> growth) {
  constexpr double kRow = 24, kNames = 340, kFigures = 150, kBars = kWidth - kNames - kFigures;
  uint64_t largest = 1;
  for (const TypeGrowth& row : growth) largest = std::max(largest, row.bytes_now);
  std::string text;
  for (size_t i = 0; i < growth.size(); ++i) {
    const TypeGrowth& row = growth[i];
    const double y = static_cast<double>(i) * kRow;
    const double before = static_cast<double>(row.bytes_before) / static_cast<double>(largest) * kBars;
    const double now = static_cast<double>(row.bytes_now) / static_cast<double>(largest) * kBars;
    text += fmt::format("<g><title>{}: {} before, {} now</title>", Escaped(row.type), FullBytes(row.bytes_before),
                        FullBytes(row.bytes_now));
    text += Label(0, y + 16, Fitting(row.type, kNames));
    text += Rect({kNames, y + 5, before, kRow - 10}, "before");
    text += Rect({kNames + before, y + 5, now - before, kRow - 10}, "added");
    text += Label(kNames + now + 6, y + 16, "+" + HumanBytes(row.bytes_now - row.bytes_before)) + "</g>";
  }
  return Svg(kRow * static_cast<double>(growth.size()) + 4, "Types that grew", text);
}

std::string PathSvg(const snapshot::Summary& summary, const session::RootPath& path) {
  constexpr double kRow = 44, kBox = 26;
  std::string text = Rect({0, 0, kWidth, kBox}, "root") + Label(8, 17, Fitting(RootWords(summary, path.root), kWidth));
  for (size_t i = 0; i < path.steps.size(); ++i) {
    const session::PathStep& step = path.steps[i];
    const double y = static_cast<double>(i + 1) * kRow;
    const bool is_last = i + 1 == path.steps.size();
    text += fmt::format("<path class=\"arrow\" d=\"M24 {:.0f} V{:.0f} M20 {:.0f} L24 {:.0f} L28 {:.0f}\"/>",
                        y - kRow + kBox, y - 1, y - 6, y - 1, y - 6);
    std::string field = i == 0 ? "" : step.field;
    if (path.omitted > 0 && i == path.omitted_after)
      field = Counted(path.omitted, "more step", "more steps") + " … " + field;
    text += Label(36, y - 5, Fitting(field, kWidth - 40), "label faint");
    text += Rect({0, y, kWidth, kBox}, is_last ? "leak" : "step");
    text += Label(8, y + 17, Fitting(TypeName(summary.types.at(step.type.value)), kWidth - 260));
    text += Label(kWidth - 240, y + 17, fmt::format("@{}  retains {}", step.object.value, HumanBytes(step.retained)),
                  "label faint");
  }
  return Svg(kRow * static_cast<double>(path.steps.size()) + kBox + 2, "Path from the root", text);
}

}  // namespace cairn::presentation
