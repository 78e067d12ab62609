#include "viewer/ui/panels/overview_panel.h"

#include <algorithm>

#include "viewer/presentation/visible_text.h"
#include "viewer/ui/page_parts.h"
#include "viewer/ui/table_widget.h"

namespace cairn::ui {
namespace {

using presentation::VisibleText;

constexpr float kSuspectRows = 7;

void DrawCharts(const PanelContext& context) {
  for (size_t i = 0; i < context.page.charts.size(); ++i)
    DrawChart(context.page.charts[i], "chart" + std::to_string(i), context);
}

void DrawAside(const PanelContext& context) {
  const Aside& aside = context.aside;
  if (aside.failure) {
    ImGui::TextDisabled("What looks like a leak could not be found out: %s",
                        VisibleText(aside.failure->message).c_str());
  } else if (!aside.page) {
    ImGui::TextDisabled("Looking for what looks like a leak …");
  } else if (!aside.page->sections.empty()) {
    ImGui::TextUnformatted(aside.page->heading.c_str());
    DrawTable(aside.page->sections.front(), context.visit.tables.front(), {"table0", 0, false, true}, context);
  }
}

}  // namespace

void OverviewPanel::DrawContent(const PanelContext& context) const {
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float below = !context.page.aside ? 0 : kSuspectRows * line;
  const float height = std::max(ImGui::GetContentRegionAvail().y - below, 8 * line);
  ImGui::BeginChild("facts", {ImGui::GetContentRegionAvail().x * 0.38f, height});
  DrawFacts(context, FactFlow::kColumn);
  ImGui::Dummy({0, 4 * context.theme.scale});
  if (context.page.memory) DrawChart(*context.page.memory, "memory", context);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("charts", {0, height});
  DrawCharts(context);
  ImGui::EndChild();
  if (context.page.aside) DrawAside(context);
}

}  // namespace cairn::ui
