#include "viewer/ui/panels/overview_panel.h"

#include <algorithm>

#include "viewer/ui/page_parts.h"
#include "viewer/ui/table_widget.h"

namespace cairn::ui {
namespace {

constexpr float kSuspectRows = 7;

void DrawCharts(const PanelContext& context) {
  for (size_t i = 0; i < context.page.charts.size(); ++i)
    DrawChart(context.page.charts[i], "chart" + std::to_string(i), context);
}

void DrawSuspects(const PanelContext& context) {
  for (size_t i = 0; i < context.page.sections.size(); ++i) {
    const presentation::Section& section = context.page.sections[i];
    ImGui::TextUnformatted(section.title.c_str());
    DrawTable(section, context.visit.tables[i], {"table" + std::to_string(i), 0, false, i == 0}, context);
  }
}

}  // namespace

void OverviewPanel::DrawContent(const PanelContext& context) const {
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float below = context.page.sections.empty() ? 0 : kSuspectRows * line;
  const float height = std::max(ImGui::GetContentRegionAvail().y - below, 8 * line);
  ImGui::BeginChild("facts", {ImGui::GetContentRegionAvail().x * 0.38f, height});
  DrawFacts(context, FactFlow::kColumn);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("charts", {0, height});
  DrawCharts(context);
  ImGui::EndChild();
  DrawSuspects(context);
}

}  // namespace cairn::ui
