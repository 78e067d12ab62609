#include "viewer/ui/panels/timeline_panel.h"

#include "viewer/ui/charts.h"
#include "viewer/ui/page_parts.h"
#include "viewer/ui/table_widget.h"

namespace cairn::ui {

void TimelinePanel::DrawContent(const PanelContext& context) const {
  DrawFacts(context, FactFlow::kLine);
  ImGui::Dummy({0, 4 * context.theme.scale});
  if (context.page.stack) DrawStack(*context.page.stack, ImGui::GetContentRegionAvail().y * 0.5f, context);
  if (context.page.sections.empty()) return;
  ImGui::TextUnformatted(context.page.sections.front().title.c_str());
  DrawTable(context.page.sections.front(), context.visit.tables.front(), {"table0"}, context);
}

}  // namespace cairn::ui
