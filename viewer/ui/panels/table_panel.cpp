#include "viewer/ui/panels/table_panel.h"

#include <algorithm>

#include "viewer/ui/page_parts.h"
#include "viewer/ui/table_widget.h"

namespace cairn::ui {
namespace {

constexpr uint64_t kMostRowsBelow = 10;

float LineHeight() { return ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y; }

// What the tables behind the first need: all their rows, up to some.
float HeightBelow(const PanelContext& context) {
  float height = 0;
  for (size_t i = 1; i < context.page.sections.size(); ++i) {
    const uint64_t rows = std::min(context.page.sections[i].table->RowCount(), kMostRowsBelow);
    height += LineHeight() * static_cast<float>(rows + 2) + 2 * ImGui::GetStyle().ItemSpacing.y;
  }
  return std::min(height, ImGui::GetContentRegionAvail().y * 0.6f);
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
  const float first = sections.size() > 1 ? ImGui::GetContentRegionAvail().y - LineHeight() - HeightBelow(context) : 0;
  for (size_t i = 0; i < sections.size(); ++i) {
    if (sections.size() > 1) DrawTitle(sections[i]);
    const float wanted = LineHeight() * static_cast<float>(std::min(sections[i].table->RowCount(), kMostRowsBelow) + 1);
    const bool last = i + 1 == sections.size();
    DrawTable(sections[i], context.visit.tables[i],
              {"table" + std::to_string(i),
               i == 0 ? first
               : last ? 0
                      : wanted,
               i == 0, i == context.visit.keys},
              context);
  }
}

}  // namespace cairn::ui
