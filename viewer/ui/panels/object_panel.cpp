#include "viewer/ui/panels/object_panel.h"

#include <algorithm>

#include "viewer/ui/page_parts.h"
#include "viewer/ui/table_widget.h"

namespace cairn::ui {

void ObjectPanel::DrawContent(const PanelContext& context) const {
  DrawFacts(context, FactFlow::kLine);
  const size_t count = context.page.sections.size();
  for (size_t i = 0; i < count; ++i) {
    const presentation::Section& section = context.page.sections[i];
    ImGui::Separator();
    ImGui::TextUnformatted(section.title.c_str());
    if (!section.note.empty()) {
      ImGui::SameLine();
      ImGui::TextDisabled("%s", section.note.c_str());
    }
    // What is short leaves its room to those that follow.
    const float line = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    const float share = ImGui::GetContentRegionAvail().y / static_cast<float>(count - i) - line;
    const float wanted = line * static_cast<float>(std::min<uint64_t>(section.table->RowCount(), 1000) + 1) + 4;
    DrawTable(
        section, context.visit.tables[i],
        {"table" + std::to_string(i), std::min(wanted, std::max(share, 3 * line)), i == 0, i == context.visit.keys},
        context);
  }
}

}  // namespace cairn::ui
