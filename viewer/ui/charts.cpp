#include "viewer/ui/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "viewer/presentation/layouts/stack_layout.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"
#include "viewer/ui/page_parts.h"

namespace cairn::ui {
namespace {

using presentation::HeapCell;
using presentation::HeapMap;
using presentation::PlacedCell;
using presentation::PlacedPart;
using presentation::Rectangle;
using presentation::StackedChart;
using presentation::VisibleText;

constexpr size_t kLines = 5;
constexpr float kLegendWidth = 300, kCellSide = 9;

ImVec2 Least(const Rectangle& area) { return {static_cast<float>(area.x), static_cast<float>(area.y)}; }
ImVec2 Most(const Rectangle& area) {
  return {static_cast<float>(area.x + area.width), static_cast<float>(area.y + area.height)};
}

class StackDrawing {
 public:
  StackDrawing(const StackedChart& chart, const PanelContext& context) : chart_(chart), context_(context) {}

  void Draw(float height) {
    const float legend = std::min(kLegendWidth * context_.theme.scale, ImGui::GetContentRegionAvail().x * 0.4f);
    const float width = ImGui::GetContentRegionAvail().x - legend - ImGui::GetStyle().ItemSpacing.x;
    if (width < 20 || height < 20) return;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton("stack", {width, height});
    Mark(context_.probe, "stack");
    const bool hovered = ImGui::IsItemHovered();
    Measure(origin, {width, height});
    ImGui::SameLine();
    ImGui::BeginChild("legend", {legend, height});
    DrawLegend();
    ImGui::EndChild();
    if (hovered) FindHovered();
    if (context_.has_keyboard) HandleKeys();
    DrawLines();
    for (const PlacedPart& part : parts_) DrawPart(part);
    DrawLabels();
    DrawChosen();
    Answer(pressed);
  }

 private:
  // Left of the columns their amounts, below them their times.
  void Measure(ImVec2 origin, ImVec2 size) {
    const float line = ImGui::GetTextLineHeight();
    const float left = ImGui::CalcTextSize("1023.9 MiB").x + 8 * context_.theme.scale;
    area_ = {origin.x + left, origin.y + line / 2, std::max(size.x - left, 1.0f), std::max(size.y - 2 * line, 1.0f)};
    parts_ = presentation::LayOutStack(chart_, area_);
  }

  void FindHovered() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    column_ = presentation::ColumnAt(chart_, area_, mouse.x, mouse.y);
    if (const PlacedPart* part = presentation::PartAt(parts_, mouse.x, mouse.y)) layer_ = part->layer;
  }

  void HandleKeys() {
    const size_t count = chart_.columns.size();
    auto& chosen = context_.visit.column;
    if (count == 0 || ImGui::GetIO().KeyAlt || ImGui::GetIO().KeyCtrl) return;
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
    if (chosen) chosen = std::min(*chosen, count - 1);
    if (pressed(ImGuiKey_LeftArrow)) chosen = chosen ? *chosen - std::min<size_t>(*chosen, 1) : count - 1;
    if (pressed(ImGuiKey_RightArrow)) chosen = chosen ? std::min(*chosen + 1, count - 1) : 0;
    if (pressed(ImGuiKey_Space) && chosen && chart_.columns[*chosen].place)
      context_.Follow(*chart_.columns[*chosen].place, false);
  }

  ImU32 ColourOf(size_t layer) const {
    const ImU32 colour = chart_.layers[layer].is_rest ? context_.theme.Rest() : context_.theme.Tile(layer, 0);
    const bool is_faded = layer_ && *layer_ != layer;
    return is_faded ? (colour & ~IM_COL32_A_MASK) | (90u << IM_COL32_A_SHIFT) : colour;
  }

  void DrawLines() {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const uint64_t highest = presentation::HighestOf(chart_);
    for (const uint64_t amount : presentation::RoundSteps(highest, kLines)) {
      const auto y =
          static_cast<float>(area_.y + area_.height * (1 - static_cast<double>(amount) / static_cast<double>(highest)));
      list.AddLine({static_cast<float>(area_.x), y}, {Most(area_).x, y}, context_.theme.Grid());
      const std::string words = presentation::HumanBytes(amount);
      const float width = ImGui::CalcTextSize(words.c_str()).x, pad = 6 * context_.theme.scale;
      list.AddText({static_cast<float>(area_.x) - width - pad, y - ImGui::GetTextLineHeight() / 2},
                   context_.theme.Faint(), words.c_str());
    }
  }

  void DrawPart(const PlacedPart& part) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool is_under_mouse = column_ == part.column && layer_ == part.layer;
    list.AddRectFilled(Least(part.area), Most(part.area), ColourOf(part.layer));
    if (part.area.height >= 3) list.AddRect(Least(part.area), Most(part.area), context_.theme.TreeLine());
    if (is_under_mouse) list.AddRect(Least(part.area), Most(part.area), ImGui::GetColorU32(ImGuiCol_Text));
  }

  // As many as there is room for, the last one always.
  void DrawLabels() {
    if (chart_.columns.empty()) return;
    const float room = ImGui::CalcTextSize("00:00:00").x + 12 * context_.theme.scale;
    const double step = presentation::ColumnArea(chart_, area_, 0).width;
    const auto every = static_cast<size_t>(std::max(1.0, std::ceil(room / step)));
    for (size_t i = chart_.columns.size(); i-- > 0;) {
      if ((chart_.columns.size() - 1 - i) % every != 0) continue;
      const Rectangle column = presentation::ColumnArea(chart_, area_, i);
      const float width = ImGui::CalcTextSize(chart_.columns[i].label.c_str()).x;
      const float x = static_cast<float>(column.x + column.width / 2) - width / 2;
      ImGui::GetWindowDrawList()->AddText({x, Most(area_).y + 3}, context_.theme.Faint(),
                                          chart_.columns[i].label.c_str());
    }
  }

  void DrawChosen() {
    const auto& chosen = context_.visit.column;
    if (!chosen || *chosen >= chart_.columns.size()) return;
    const Rectangle column = presentation::ColumnArea(chart_, area_, *chosen);
    ImGui::GetWindowDrawList()->AddRect(Least(column), Most(column), context_.theme.Link());
  }

  // From the top down, as the layers lie.
  void DrawLegend() {
    ImGui::TextDisabled("%s", chart_.title.c_str());
    for (size_t i = chart_.layers.size(); i-- > 0;) {
      if (!HasAny(i)) continue;
      const float side = ImGui::GetTextLineHeight() * 0.7f;
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const ImVec2 least{at.x, at.y + ImGui::GetTextLineHeight() * 0.15f};
      ImGui::GetWindowDrawList()->AddRectFilled(least, {least.x + side, least.y + side}, ColourOf(i), 2);
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + 8 * context_.theme.scale);
      const std::string name = VisibleText(chart_.layers[i].name);
      if (chart_.layers[i].place)
        DrawLink(name, *chart_.layers[i].place, "layer." + std::to_string(i), context_);
      else
        ImGui::TextUnformatted(name.c_str());
      if (!ImGui::IsItemHovered()) continue;
      layer_ = i;
      ImGui::SetTooltip("%s", name.c_str());
    }
  }

  bool HasAny(size_t layer) const {
    return std::any_of(chart_.columns.begin(), chart_.columns.end(),
                       [&](const auto& column) { return column.values[layer] > 0; });
  }

  void Answer(bool pressed) {
    if (!column_) return;
    const presentation::StackedColumn& column = chart_.columns[*column_];
    std::string words = VisibleText(column.words);
    if (layer_)
      words = fmt::format("{}: {}\n", VisibleText(chart_.layers[*layer_].name),
                          presentation::HumanBytes(column.values[*layer_])) +
              words;
    ImGui::SetTooltip("%s", words.c_str());
    if (column.place) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (pressed && column.place) context_.Follow(*column.place, ImGui::GetIO().KeyCtrl);
  }

  const StackedChart& chart_;
  const PanelContext& context_;
  Rectangle area_;
  std::vector<PlacedPart> parts_;
  std::optional<size_t> column_, layer_;  // under the mouse
};

class HeapDrawing {
 public:
  HeapDrawing(const HeapMap& map, const PanelContext& context) : map_(map), context_(context) {}

  void Draw(float height) {
    DrawLegend();
    if (ImGui::BeginChild("heap", {0, height - ImGui::GetTextLineHeightWithSpacing()})) DrawMap();
    ImGui::EndChild();
    Mark(context_.probe, "heap");
  }

 private:
  void DrawLegend() {
    const auto entry = [&](ImU32 colour, const char* words) {
      const float side = ImGui::GetTextLineHeight() * 0.7f;
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const ImVec2 least{at.x, at.y + ImGui::GetTextLineHeight() * 0.15f};
      ImGui::GetWindowDrawList()->AddRectFilled(least, {least.x + side, least.y + side}, colour, 2);
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + 6 * context_.theme.scale);
      ImGui::TextUnformatted(words);
      ImGui::SameLine(0, 18 * context_.theme.scale);
    };
    entry(context_.theme.Used(), "reachable");
    entry(context_.theme.Garbage(), "unreachable");
    entry(context_.theme.Rest(), "free");
    entry(context_.theme.Pinned(), "with pinned objects");
    ImGui::TextDisabled("one square: %s", presentation::HumanBytes(map_.bytes_per_cell).c_str());
    const auto& chosen = context_.visit.column;
    const auto& cells = context_.visit.heap.picture.cells;
    if (!chosen || *chosen >= cells.size()) return;
    std::string words = WordsOf(cells[*chosen]);
    std::replace(words.begin(), words.end(), '\n', ' ');
    ImGui::SameLine(0, 18 * context_.theme.scale);
    ImGui::TextUnformatted(words.c_str());
    Mark(context_.probe, "chosen cell");
  }

  void DrawMap() {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, title = ImGui::GetTextLineHeightWithSpacing();
    LayOut(width, title);
    const presentation::HeapPicture& picture = context_.visit.heap.picture;
    const bool pressed =
        ImGui::InvisibleButton("cells", {std::max(width, 1.0f), std::max(static_cast<float>(picture.height), 1.0f)});
    Mark(context_.probe, "cells");
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const PlacedCell* hovered =
        ImGui::IsItemHovered() ? presentation::CellAt(picture, mouse.x - origin.x, mouse.y - origin.y) : nullptr;
    if (context_.has_keyboard) HandleKeys(picture);
    const auto& chosen = context_.visit.column;
    for (size_t i = 0; i < map_.strips.size(); ++i) DrawTitle(i, origin, picture.titles[i]);
    for (size_t i = 0; i < picture.cells.size(); ++i)
      DrawCell(picture.cells[i], origin, &picture.cells[i] == hovered || chosen == i);
    if (!hovered) return;
    ImGui::SetTooltip("%s", WordsOf(*hovered).c_str());
    const auto& place = map_.strips[hovered->strip].place;
    if (pressed && place) context_.Follow(*place, ImGui::GetIO().KeyCtrl);
  }

  // Arrows by themselves are the table's.
  void HandleKeys(const presentation::HeapPicture& picture) {
    auto& chosen = context_.visit.column;
    if (picture.cells.empty()) return;
    if (chosen) chosen = std::min(*chosen, picture.cells.size() - 1);
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
    if (ImGui::GetIO().KeyShift) {
      for (const auto& [key, right, down] : {std::tuple{ImGuiKey_LeftArrow, -1, 0},
                                             {ImGuiKey_RightArrow, 1, 0},
                                             {ImGuiKey_UpArrow, 0, -1},
                                             {ImGuiKey_DownArrow, 0, 1}})
        if (pressed(key)) Choose(picture, chosen ? presentation::CellBeside(picture, *chosen, right, down) : 0);
    }
    if (!chosen || !pressed(ImGuiKey_Space)) return;
    const auto& place = map_.strips[picture.cells[*chosen].strip].place;
    if (place) context_.Follow(*place, ImGui::GetIO().KeyCtrl);
  }

  // Where it can be seen.
  void Choose(const presentation::HeapPicture& picture, size_t cell) {
    context_.visit.column = cell;
    const auto& area = picture.cells[cell].area;
    const auto top = static_cast<float>(area.y), bottom = static_cast<float>(area.y + area.height);
    const float height = ImGui::GetWindowHeight();
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
    if (bottom > ImGui::GetScrollY() + height) ImGui::SetScrollY(bottom - height);
  }

  void LayOut(float width, float title) {
    HeapState& state = context_.visit.heap;
    const float side = kCellSide * context_.theme.scale;
    if (state.page == &context_.page && state.width == width && state.side == side) return;
    state = {&context_.page, width, side, presentation::LayOutHeap(map_, width, side, title)};
  }

  void DrawTitle(size_t strip, ImVec2 origin, double top) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at{origin.x, origin.y + static_cast<float>(top)};
    list.AddText(at, ImGui::GetColorU32(ImGuiCol_Text), map_.strips[strip].name.c_str());
    if (map_.strips[strip].place) context_.Hint(at, *map_.strips[strip].place);
    list.AddText({at.x + ImGui::CalcTextSize("frozen   ").x, at.y}, context_.theme.Faint(),
                 map_.strips[strip].words.c_str());
  }

  // Filled from below by what is used: reachable, then not; the rest is free.
  void DrawCell(const PlacedCell& placed, ImVec2 origin, bool hovered) {
    const HeapCell& cell = map_.strips[placed.strip].cells[placed.cell];
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float gap = std::max(1.0f, std::floor(context_.theme.scale));
    const ImVec2 least{origin.x + static_cast<float>(placed.area.x), origin.y + static_cast<float>(placed.area.y)};
    const ImVec2 most{least.x + static_cast<float>(placed.area.width) - gap,
                      least.y + static_cast<float>(placed.area.height) - gap};
    if (!ImGui::IsRectVisible(least, most)) return;
    const float high = most.y - least.y, whole = static_cast<float>(std::max<uint64_t>(map_.bytes_per_cell, 1));
    const float used = std::min(high, high * static_cast<float>(cell.reachable) / whole);
    const float lost = std::min(high - used, high * static_cast<float>(cell.unreachable) / whole);
    list.AddRectFilled(least, most, context_.theme.Rest());
    if (used > 0) list.AddRectFilled({least.x, most.y - used}, most, context_.theme.Used());
    if (lost > 0)
      list.AddRectFilled({least.x, most.y - used - lost}, {most.x, most.y - used}, context_.theme.Garbage());
    if (cell.pinned > 0) {
      const ImVec2 middle{(least.x + most.x) / 2, (least.y + most.y) / 2};
      list.AddCircleFilled(middle, high * 0.28f, context_.theme.Pinned());
    }
    if (hovered) list.AddRect(least, most, ImGui::GetColorU32(ImGuiCol_Text));
  }

  std::string WordsOf(const PlacedCell& placed) const {
    const HeapCell& cell = map_.strips[placed.strip].cells[placed.cell];
    std::string words = fmt::format("{} · {}\n{} reachable, {} unreachable, {} free", map_.strips[placed.strip].name,
                                    presentation::HexAddress(cell.address), presentation::HumanBytes(cell.reachable),
                                    presentation::HumanBytes(cell.unreachable), presentation::HumanBytes(cell.free));
    if (cell.pinned > 0) words += "\n" + presentation::Counted(cell.pinned, "pinned object", "pinned objects");
    return words;
  }

  const HeapMap& map_;
  const PanelContext& context_;
};

}  // namespace

void DrawStack(const StackedChart& chart, float height, const PanelContext& context) {
  StackDrawing(chart, context).Draw(height);
}

void DrawHeapMap(const HeapMap& map, float height, const PanelContext& context) {
  HeapDrawing(map, context).Draw(height);
}

}  // namespace cairn::ui
