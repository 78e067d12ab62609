#include "viewer/ui/note_editor.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include "viewer/presentation/visible_text.h"

namespace cairn::ui {

using presentation::NoteSubject;

namespace {

constexpr float kLines = 4;

}  // namespace

void NoteEditor::Open(const NoteSubject& subject) {
  subject_ = subject;
  text_ = book_.Get(subject);
  take_focus_ = true;
}

std::optional<Status> NoteEditor::Close() {
  toggled_ = false;
  if (!subject_) return std::nullopt;
  const NoteSubject subject = *std::exchange(subject_, std::nullopt);
  if (text_ == book_.Get(subject)) return std::nullopt;
  return book_.Set(subject, text_);
}

std::optional<Status> NoteEditor::Draw(const NoteSubject& subject, const Theme& theme, Probe* probe) {
  std::optional<Status> written;
  if (subject_ && *subject_ != subject) written = Close();
  if (std::exchange(toggled_, false)) {
    if (subject_) return Close();
    Open(subject);
  }
  if (subject_) return DrawField(theme, probe);
  const std::string text = book_.Get(subject);
  if (text.empty()) return written;
  ImGui::PushStyleColor(ImGuiCol_Text, theme.Note());
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
  Mark(probe, "note");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("A note. Click or Ctrl-N: change it.");
  if (ImGui::IsItemClicked()) Open(subject);
  return written;
}

std::optional<Status> NoteEditor::DrawField(const Theme& theme, Probe* probe) {
  if (std::exchange(take_focus_, false)) ImGui::SetKeyboardFocusHere();
  const float width = -90 * theme.scale;
  const bool done = ImGui::InputTextMultiline("##note", &text_, {width, ImGui::GetTextLineHeight() * kLines},
                                              ImGuiInputTextFlags_EnterReturnsTrue);
  Mark(probe, "note.text");
  ImGui::SameLine();
  const bool pressed = ImGui::Button("Keep");
  Mark(probe, "note.keep");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Ctrl-N or Ctrl-Enter. An empty note is none.");
  return done || pressed ? Close() : std::nullopt;
}

}  // namespace cairn::ui
