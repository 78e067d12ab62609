#pragma once

#include "viewer/ui/panel.h"

namespace cairn::ui {

// A filter, then the tables of a page: the first as high as it can be.
class TablePanel : public Panel {
 public:
  void DrawContent(const PanelContext& context) const override;
};

}  // namespace cairn::ui
