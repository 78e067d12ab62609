#include "viewer/ui/panels/heap_panel.h"

#include "viewer/ui/charts.h"

namespace cairn::ui {

void HeapPanel::DrawContent(const PanelContext& context) const {
  if (context.page.heap && !context.page.heap->strips.empty())
    DrawHeapMap(*context.page.heap, ImGui::GetContentRegionAvail().y * 0.4f, context);
  TablePanel::DrawContent(context);
}

}  // namespace cairn::ui
