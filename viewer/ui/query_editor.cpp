#include "viewer/ui/query_editor.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "viewer/presentation/visible_text.h"

namespace cairn::ui {
namespace {

constexpr float kLines = 5;
constexpr size_t kMostShown = 80;  // bytes of a statement in the list

// On one line, and not too long.
std::string Shortened(const std::string& sql) {
  std::string text = presentation::VisibleText(sql.substr(0, kMostShown));
  return sql.size() > kMostShown ? text + " …" : text;
}

std::optional<std::string> DrawHistory(const std::vector<std::string>& history, Probe* probe) {
  std::optional<std::string> chosen;
  if (ImGui::Button("Asked before") && !history.empty()) ImGui::OpenPopup("history");
  Mark(probe, "query.history");
  if (!ImGui::BeginPopup("history")) return chosen;
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  for (size_t i = 0; i < history.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(Shortened(history[i]).c_str())) chosen = history[i];
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", history[i].c_str());
    ImGui::PopID();
    Mark(probe, "query.history." + std::to_string(i));
  }
  ImGui::EndPopup();
  return chosen;
}

bool HasWords(const std::string& sql) { return sql.find_first_not_of(" \t\r\n;") != std::string::npos; }

}  // namespace

std::optional<std::string> DrawQueryEditor(std::string& text, const std::vector<std::string>& history, bool take_focus,
                                           const Theme& theme, Probe* probe) {
  if (take_focus) ImGui::SetKeyboardFocusHere();
  if (theme.number) ImGui::PushFont(theme.number);
  const bool enter = ImGui::InputTextMultiline("##sql", &text, {-1, ImGui::GetTextLineHeight() * kLines},
                                               ImGuiInputTextFlags_EnterReturnsTrue);
  if (theme.number) ImGui::PopFont();
  Mark(probe, "query.text");
  const bool pressed = ImGui::Button("Ask (Ctrl-Enter)");
  Mark(probe, "query.ask");
  ImGui::SameLine();
  if (const auto again = DrawHistory(history, probe)) text = *again;
  ImGui::SameLine();
  ImGui::TextDisabled("one SELECT over the tables objects, edges, types, fields, roots, strings, snapshots");
  return (enter || pressed) && HasWords(text) ? std::optional(text) : std::nullopt;
}

}  // namespace cairn::ui
