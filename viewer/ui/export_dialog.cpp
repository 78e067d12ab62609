#include "viewer/ui/export_dialog.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::ui {

using presentation::VisibleText;

void ExportDialog::Open(std::shared_ptr<const presentation::Page> page, presentation::Place place) {
  if (!page) return;
  page_ = std::move(page);
  place_ = std::move(place);
  wish_ = {presentation::ExportName(place_), false};
  failure_.reset();
  opening_ = true;
}

std::optional<std::string> ExportDialog::Draw(const Theme& theme, Probe* probe) {
  auto told = Take();
  if (opening_) ImGui::OpenPopup("export");
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y * 0.3f}, ImGuiCond_Always, {0.5f, 0});
  if (!ImGui::BeginPopup("export")) return told;
  DrawFields(theme, probe);
  if (std::exchange(closing_, false) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
    ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return told;
}

void ExportDialog::DrawFields(const Theme& theme, Probe* probe) {
  ImGui::TextUnformatted("Export the table, all of its rows, to a .csv or .json file");
  if (std::exchange(opening_, false)) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(480 * theme.scale);
  const bool enter =
      ImGui::InputText("##path", &wish_.path, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  Mark(probe, "export.path");
  ImGui::Checkbox("replace a file that is there", &wish_.replace);
  Mark(probe, "export.replace");
  ImGui::BeginDisabled(job_.IsWanted());
  const bool pressed = ImGui::Button("Export");
  ImGui::EndDisabled();
  Mark(probe, "export.start");
  if (job_.IsWanted()) {
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) job_.Cancel();
    Mark(probe, "export.cancel");
  }
  if (failure_) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme.Bad());
    ImGui::TextUnformatted(VisibleText(failure_->message).c_str());
    ImGui::PopStyleColor();
    ImGui::TextDisabled("%s", VisibleText(failure_->hint).c_str());
  }
  if ((enter || pressed) && !job_.IsWanted()) Start();
}

void ExportDialog::Start() {
  failure_.reset();
  job_ = jobs_.Start<uint64_t>("writing " + VisibleText(wish_.path),
                               [page = page_, place = place_, wish = wish_](presentation::JobContext& context) {
                                 return presentation::ExportPage(*page, place, wish, context.Work());
                               });
}

std::optional<std::string> ExportDialog::Take() {
  const auto* answer = job_.Answer();
  if (!answer) return std::nullopt;
  std::optional<std::string> told;
  if (*answer) {
    told = "Wrote " + presentation::Counted(**answer, "row", "rows") + " to " + wish_.path;
    closing_ = true;
    page_.reset();
  } else {
    failure_ = answer->error();
  }
  job_ = {};
  return told;
}

}  // namespace cairn::ui
