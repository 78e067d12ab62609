#pragma once

#include "viewer/ui/panels/table_panel.h"

namespace cairn::ui {

// The heap as a map, its ranges below.
class HeapPanel : public TablePanel {
 public:
  void DrawContent(const PanelContext& context) const override;
};

}  // namespace cairn::ui
