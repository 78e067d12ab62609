#include "viewer/ui/panels/table_panel.h"

#include <algorithm>
#include <vector>

#include "viewer/ui/page_parts.h"
#include "viewer/ui/table_widget.h"

namespace cairn::ui {
namespace {

constexpr uint64_t kMostRowsBelow = 10, kMostRowsOfFirst = 1000;

float LineHeight() { return ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y; }

// What each table has of the room: what is short all that it needs, the others the same share; the last what is left.
std::vector<float> Heights(const std::vector<presentation::Section>& sections, float room) {
  std::vector<float> heights(sections.size());
  std::vector<size_t> by_need(sections.size());
  for (size_t i = 0; i < sections.size(); ++i) {
    const uint64_t rows = sections[i].table->RowCount(), most = i == 0 ? kMostRowsOfFirst : kMostRowsBelow;
    heights[i] = LineHeight() * static_cast<float>(std::min(rows, most) + 1);
    by_need[i] = i;
  }
  std::sort(by_need.begin(), by_need.end(), [&](size_t a, size_t b) { return heights[a] < heights[b]; });
  for (size_t done = 0; done < by_need.size(); ++done) {
    float& height = heights[by_need[done]];
    height = std::min(height, std::max(room / static_cast<float>(by_need.size() - done), LineHeight()));
    room -= height;
  }
  if (!heights.empty()) heights.back() += std::max(room, 0.0f);
  return heights;
}

void DrawTitle(const presentation::Section& section) {
  ImGui::TextUnformatted(section.title.c_str());
  if (section.note.empty()) return;
  ImGui::SameLine();
  ImGui::TextDisabled("%s", section.note.c_str());
}

}  // namespace

void TablePanel::DrawContent(const PanelContext& context) const {
  DrawFacts(context, FactFlow::kLine);
  const auto& sections = context.page.sections;
  const bool alone = sections.size() == 1;
  const float title = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().ItemSpacing.y;
  const auto heights =
      Heights(sections, ImGui::GetContentRegionAvail().y - title * static_cast<float>(sections.size()));
  for (size_t i = 0; i < sections.size(); ++i) {
    if (!alone) DrawTitle(sections[i]);
    DrawTable(sections[i], context.visit.tables[i],
              {"table" + std::to_string(i), alone ? 0 : heights[i], i == 0, i == context.visit.keys}, context);
  }
}

}  // namespace cairn::ui
