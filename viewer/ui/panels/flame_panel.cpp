#include "viewer/ui/panels/flame_panel.h"

#include "viewer/ui/allocation_charts.h"
#include "viewer/ui/page_parts.h"

namespace cairn::ui {

void FlamePanel::DrawContent(const PanelContext& context) const {
  DrawFacts(context, FactFlow::kLine);
  if (context.page.flame) DrawFlame(*context.page.flame, context);
}

}  // namespace cairn::ui
