#pragma once

#include "viewer/ui/panel.h"

namespace cairn::ui {

// Facts on the left, bars on the right, suspects below.
class OverviewPanel : public Panel {
 public:
  void DrawContent(const PanelContext& context) const override;
};

}  // namespace cairn::ui
