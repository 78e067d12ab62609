#pragma once

#include "viewer/ui/panel.h"

namespace cairn::ui {

// What an object is, its fields, its referrers, the paths to it.
class ObjectPanel : public Panel {
 public:
  void DrawContent(const PanelContext& context) const override;
};

}  // namespace cairn::ui
