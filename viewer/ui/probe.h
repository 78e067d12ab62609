#pragma once
// Where widgets were drawn, so that a test can click them by name. The program itself has none.

#include <imgui.h>

#include <map>
#include <string>

namespace cairn::ui {

struct Probe {
  std::map<std::string, ImVec4> areas;  // left, top, right, bottom of this frame
};

// Of the widget drawn last.
inline void Mark(Probe* probe, const std::string& name) {
  if (!probe) return;
  const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
  probe->areas[name] = {least.x, least.y, most.x, most.y};
}

}  // namespace cairn::ui
