#pragma once

#include "viewer/ui/panel.h"

namespace cairn::ui {

// A series as stacked columns, what changed over it below.
class TimelinePanel : public Panel {
 public:
  void DrawContent(const PanelContext& context) const override;
};

}  // namespace cairn::ui
