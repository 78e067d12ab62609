#include "viewer/ui/hints.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace cairn::ui {
namespace {

constexpr size_t kLetters = 26, kMostHints = kLetters * kLetters;
constexpr float kPad = 3;

}  // namespace

std::string HintLetters(size_t hint, size_t count) {
  const auto letter = [](size_t of) { return static_cast<char>('a' + of); };
  if (count <= kLetters) return {letter(hint)};
  return {letter(hint / kLetters), letter(hint % kLetters)};
}

void Hints::Toggle() {
  is_shown_ = !is_shown_;
  is_new_ = true;
  typed_.clear();
}

float Hints::Width(const Theme& theme) { return ImGui::CalcTextSize("ww").x + 2 * kPad * theme.scale; }

void Hints::Add(ImVec2 at, const presentation::Place& place) {
  if (is_shown_ && hints_.size() < kMostHints && ImGui::IsRectVisible(at, {at.x + 1, at.y + 1}))
    hints_.push_back({at, place});
}

std::optional<presentation::Place> Hints::Draw(const Theme& theme, Probe* probe) {
  if (!is_shown_) return std::nullopt;
  if (!std::exchange(is_new_, false)) TakeLetters();
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  for (size_t i = 0; i < hints_.size(); ++i) {
    const std::string letters = HintLetters(i, hints_.size());
    if (!letters.starts_with(typed_)) continue;
    const ImVec2 size = ImGui::CalcTextSize(letters.c_str());
    const float pad = kPad * theme.scale, width = size.x + 2 * pad;
    const ImVec2 at{std::max(hints_[i].at.x - width, 0.0f), hints_[i].at.y};
    list.AddRectFilled(at, {at.x + width, at.y + size.y}, theme.Warning(), pad);
    list.AddText({at.x + pad, at.y}, theme.dark ? IM_COL32_BLACK : IM_COL32_WHITE, letters.c_str());
    if (probe) probe->areas["hint." + letters] = {at.x, at.y, at.x + width, at.y + size.y};
  }
  const auto chosen = Chosen();
  hints_.clear();
  if (chosen) Toggle();
  return chosen;
}

void Hints::TakeLetters() {
  for (const ImWchar typed : ImGui::GetIO().InputQueueCharacters)
    if (typed < 128 && std::isalpha(static_cast<int>(typed))) typed_ += static_cast<char>(std::tolower(typed));
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)) || ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    is_shown_ = false;
}

std::optional<presentation::Place> Hints::Chosen() const {
  for (size_t i = 0; i < hints_.size(); ++i)
    if (HintLetters(i, hints_.size()) == typed_) return hints_[i].place;
  return std::nullopt;
}

}  // namespace cairn::ui
