#include "viewer/ui/page_parts.h"

#include <algorithm>

#include "viewer/presentation/visible_text.h"

namespace cairn::ui {
namespace {

using presentation::Bar;
using presentation::Fact;
using presentation::Notice;
using presentation::PlacedTile;
using presentation::VisibleText;

void DrawColoured(ImU32 colour, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

ImU32 ColourOf(Notice::Level level, const Theme& theme) {
  if (level == Notice::Level::kBad) return theme.Bad();
  return level == Notice::Level::kWarning ? theme.Warning() : theme.Faint();
}

bool WantsNewTab() { return ImGui::GetIO().KeyCtrl; }

void DrawFact(const Fact& fact, const std::string& name, const PanelContext& context) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.Faint());
  ImGui::TextUnformatted(fact.name.c_str());
  ImGui::PopStyleColor();
  ImGui::SameLine();
  if (fact.place)
    DrawLink(VisibleText(fact.value), *fact.place, name, context);
  else
    ImGui::TextUnformatted(VisibleText(fact.value).c_str());
}

void DrawFactRow(const Fact& fact, const std::string& name, const PanelContext& context) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.Faint());
  ImGui::TextUnformatted(fact.name.c_str());
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  if (fact.place)
    DrawLink(VisibleText(fact.value), *fact.place, name, context);
  else
    ImGui::TextWrapped("%s", VisibleText(fact.value).c_str());
}

uint64_t LongestOf(const presentation::BarChart& chart) {
  uint64_t longest = 1;
  for (const Bar& bar : chart.bars) longest = std::max(longest, bar.value + bar.rest);
  return longest;
}

float LengthOf(uint64_t value, uint64_t longest, float room) {
  return static_cast<float>(static_cast<double>(value) / static_cast<double>(longest)) * room;
}

// The whole bar is one button, with its words on it.
void DrawBar(const Bar& bar, uint64_t longest, const std::string& name, const PanelContext& context) {
  const float room = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight() + 4 * context.theme.scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(name.c_str(), {std::max(room, 1.0f), height});
  Mark(context.probe, name);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float used = LengthOf(bar.value, longest, room), rest = LengthOf(bar.rest, longest, room);
  list.AddRectFilled(at, {at.x + std::max(used, 1.0f), at.y + height - 1}, context.theme.Bar());
  if (rest > 0) list.AddRectFilled({at.x + used, at.y}, {at.x + used + rest, at.y + height - 1}, context.theme.Rest());
  if (hovered && bar.place) list.AddRect(at, {at.x + room, at.y + height - 1}, context.theme.Link());
  const std::string label = VisibleText(bar.label);
  const float words = ImGui::CalcTextSize(bar.words.c_str()).x, pad = 4 * context.theme.scale;
  list.PushClipRect(at, {at.x + std::max(room - words - 3 * pad, 1.0f), at.y + height}, true);
  list.AddText({at.x + pad, at.y + 1}, ImGui::GetColorU32(ImGuiCol_Text), label.c_str());
  list.PopClipRect();
  list.AddText({at.x + room - words - pad, at.y + 1}, ImGui::GetColorU32(ImGuiCol_Text), bar.words.c_str());
  if (bar.place) context.Hint(at, *bar.place);
  if (hovered) ImGui::SetTooltip("%s\n%s", label.c_str(), bar.words.c_str());
  if (pressed && bar.place) context.Follow(*bar.place, WantsNewTab());
}

void LayOut(const PanelContext& context, ImVec2 room) {
  TileState& state = context.visit.tiles;
  if (state.page == &context.page && state.width == room.x && state.height == room.y) return;
  state = {&context.page, room.x, room.y,
           presentation::LayOutTiles(context.page.tiles, {0, 0, room.x, room.y}, ImGui::GetTextLineHeight() + 2)};
}

void DrawTile(const PlacedTile& tile, ImVec2 origin, bool hovered, const PanelContext& context) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 least{origin.x + static_cast<float>(tile.area.x), origin.y + static_cast<float>(tile.area.y)};
  const ImVec2 most{least.x + static_cast<float>(tile.area.width), least.y + static_cast<float>(tile.area.height)};
  list.AddRectFilled(least, most,
                     tile.tile->is_rest ? context.theme.Rest() : context.theme.Tile(tile.group, tile.depth));
  list.AddRect(least, most, hovered ? context.theme.OnTile() : context.theme.TreeLine());
  const float line = ImGui::GetTextLineHeight();
  if (most.x - least.x < 3 * line || most.y - least.y < line) return;
  // Tiles lie beside each other: the letters have their room within.
  const bool has_letters = tile.tile->place && context.hints && context.hints->IsShown();
  const float letters = has_letters ? Hints::Width(context.theme) : 0;
  if (tile.tile->place) context.Hint({least.x + letters, least.y}, *tile.tile->place);
  list.PushClipRect({least.x + 3, least.y}, {most.x - 3, most.y}, true);
  list.AddText({least.x + letters + 4, least.y + 1}, context.theme.OnTile(), VisibleText(tile.tile->label).c_str());
  list.PopClipRect();
}

}  // namespace

void DrawLink(const std::string& text, const presentation::Place& target, const std::string& name,
              const PanelContext& context) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.Link());
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  Mark(context.probe, name);
  context.Hint(ImGui::GetItemRectMin(), target);
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddLine({least.x, most.y - 1}, {most.x, most.y - 1}, context.theme.Link());
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) context.Follow(target, WantsNewTab());
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Middle)) context.Follow(target, true);
}

void DrawNotices(const PanelContext& context) {
  for (const Notice& notice : context.page.notices) {
    DrawColoured(ColourOf(notice.level, context.theme), VisibleText(notice.text));
    if (!notice.advice.empty()) DrawColoured(context.theme.Faint(), "    " + VisibleText(notice.advice));
  }
}

void DrawFacts(const PanelContext& context, FactFlow flow) {
  const auto& facts = context.page.facts;
  if (flow == FactFlow::kColumn) {
    if (!ImGui::BeginTable("facts", 2, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings)) return;
    ImGui::TableSetupColumn("name");
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    for (size_t i = 0; i < facts.size(); ++i) DrawFactRow(facts[i], "fact." + facts[i].name, context);
    return ImGui::EndTable();
  }
  for (size_t i = 0; i < facts.size(); ++i) {
    const float width = ImGui::CalcTextSize((facts[i].name + "  " + facts[i].value).c_str()).x;
    const float gap = 24 * context.theme.scale;
    if (i > 0 &&
        ImGui::GetItemRectMax().x + gap + width < ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x)
      ImGui::SameLine(0, gap);
    DrawFact(facts[i], "fact." + facts[i].name, context);
  }
}

void DrawChart(const presentation::BarChart& chart, const std::string& name, const PanelContext& context) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.Faint());
  ImGui::TextUnformatted(chart.title.c_str());
  ImGui::PopStyleColor();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8 * context.theme.scale, 1});
  const uint64_t longest = LongestOf(chart);
  for (size_t i = 0; i < chart.bars.size(); ++i)
    DrawBar(chart.bars[i], longest, name + "." + std::to_string(i), context);
  ImGui::PopStyleVar();
  ImGui::Dummy({0, 4 * context.theme.scale});
}

void DrawTiles(const PanelContext& context) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), origin = ImGui::GetCursorScreenPos();
  if (context.page.tiles.empty() || room.x < 1 || room.y < 1) return;
  LayOut(context, room);
  const bool pressed = ImGui::InvisibleButton("tiles", room);
  Mark(context.probe, "tiles");
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto& placed = context.visit.tiles.placed;
  const PlacedTile* hovered =
      ImGui::IsItemHovered() ? presentation::TileAt(placed, mouse.x - origin.x, mouse.y - origin.y) : nullptr;
  for (const PlacedTile& tile : placed) DrawTile(tile, origin, &tile == hovered, context);
  if (!hovered) return;
  const std::string& words = hovered->tile->words;
  ImGui::SetTooltip("%s", words.empty() ? VisibleText(hovered->tile->label).c_str() : words.c_str());
  if (pressed && hovered->tile->place) context.Follow(*hovered->tile->place, WantsNewTab());
}

bool DrawFailure(const Error& error, const Theme& theme, Probe* probe) {
  ImGui::Dummy({0, 8 * theme.scale});
  DrawColoured(theme.Bad(), VisibleText(error.message));
  if (!error.hint.empty()) ImGui::TextWrapped("%s", VisibleText(error.hint).c_str());
  DrawColoured(theme.Faint(), error.code);
  const bool again = ImGui::Button("Try again");
  Mark(probe, "try again");
  return again;
}

}  // namespace cairn::ui
