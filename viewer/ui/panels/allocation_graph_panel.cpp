#include "viewer/ui/panels/allocation_graph_panel.h"

#include "viewer/ui/allocation_charts.h"
#include "viewer/ui/page_parts.h"

namespace cairn::ui {

void AllocationGraphPanel::DrawContent(const PanelContext& context) const {
  DrawFacts(context, FactFlow::kLine);
  if (context.page.graph) DrawAllocationGraph(*context.page.graph, context);
}

}  // namespace cairn::ui
