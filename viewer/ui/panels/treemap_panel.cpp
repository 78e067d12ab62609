#include "viewer/ui/panels/treemap_panel.h"

#include "viewer/ui/page_parts.h"

namespace cairn::ui {

void TreemapPanel::DrawContent(const PanelContext& context) const {
  DrawFacts(context, FactFlow::kLine);
  DrawTiles(context);
}

}  // namespace cairn::ui
