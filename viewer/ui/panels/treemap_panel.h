#pragma once

#include "viewer/ui/panel.h"

namespace cairn::ui {

// Rectangles that can be gone into and out of.
class TreemapPanel : public Panel {
 public:
  void DrawContent(const PanelContext& context) const override;
};

}  // namespace cairn::ui
