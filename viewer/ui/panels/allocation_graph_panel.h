#pragma once

#include "viewer/ui/panel.h"

namespace cairn::ui {

class AllocationGraphPanel : public Panel {
 public:
  void DrawContent(const PanelContext& context) const override;
};

}  // namespace cairn::ui
