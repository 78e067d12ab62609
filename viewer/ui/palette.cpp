#include "viewer/ui/palette.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

#include "viewer/presentation/object_name.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::ui {
namespace {

using presentation::Place;
using presentation::View;

constexpr size_t kMostEntries = 14, kSearches = 5;

std::string Folded(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Every word of the text is a part of it.
bool Matches(const std::string& words, const std::string& text) {
  const std::string folded = Folded(words), wanted = Folded(text);
  for (size_t at = 0; at < wanted.size();) {
    const size_t end = std::min(wanted.find(' ', at), wanted.size());
    if (folded.find(wanted.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

void AddNamed(std::vector<PaletteEntry>& entries, const std::string& text, const Place& here) {
  if (here.files.empty() || text.empty()) return;
  const auto name = presentation::ParseObjectName(text);
  if (name && name->kind == presentation::ObjectName::Kind::kIndex)
    entries.push_back({"Object @" + std::to_string(name->value), here.OfObject(name->value)});
}

// As a text of SQL, whatever is in it.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

Place FieldsNamed(const std::string& text, const Place& here) {
  return here.Asking("SELECT type, field, field_type FROM fields WHERE instr(lower(field), lower(" + Quoted(text) +
                     ")) > 0 ORDER BY type, field");
}

void AddSearches(std::vector<PaletteEntry>& entries, const std::string& text, const Place& here) {
  if (here.files.empty() || text.empty()) return;
  entries.push_back({"Types whose name holds '" + text + "'", here.Of(View::kTypes).Filtered(text)});
  entries.push_back({"Objects of types like '" + text + "'", here.OfType(text)});
  entries.push_back({"What keeps objects of types like '" + text + "' alive", here.OfType(text, View::kPaths)});
  entries.push_back({"Roots that hold '" + text + "'", here.Of(View::kRoots).Filtered(text)});
  entries.push_back({"Fields whose name holds '" + text + "'", FieldsNamed(text, here)});
}

// Paths are of what is shown, where that is one thing.
Place PlaceOf(View view, const Place& here) {
  if (view == View::kPaths && here.object) return here.OfObject(*here.object, view);
  if (view == View::kPaths && !here.type.empty()) return here.OfType(here.type, view);
  return here.Of(view);
}

void AddViews(std::vector<PaletteEntry>& entries, const std::string& text, const Place& here) {
  for (const presentation::ViewInfo& info : presentation::Views()) {
    const bool is_possible = here.files.size() >= info.least_files && info.view != View::kObject;
    if (is_possible && Matches(info.title, text)) entries.push_back({info.title, PlaceOf(info.view, here)});
  }
}

// Files of late are whole paths; what is open may have been given from a folder.
bool IsSameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  const auto whole = [&](const std::string& file) { return std::filesystem::absolute(file, error).lexically_normal(); };
  return a == b || whole(a) == whole(b);
}

void AddFiles(std::vector<PaletteEntry>& entries, const std::string& text, const Place& here,
              const std::vector<std::string>& recent) {
  for (const std::string& file : recent) {
    if (Matches("open " + file, text)) entries.push_back({"Open " + file, Place::Of(View::kOverview, file)});
    if (here.files.empty() || IsSameFile(here.files.back(), file) || !Matches("compare with the earlier " + file, text))
      continue;
    Place diff{.view = View::kDiff, .files = {file, here.files.back()}};
    entries.push_back({"Compare with the earlier " + file, std::move(diff)});
  }
}

void AddActions(std::vector<PaletteEntry>& entries, const std::string& text) {
  for (const Shortcut& shortcut : Shortcuts())
    if (shortcut.action != Action::kPalette && Matches(shortcut.words, text))
      entries.push_back({std::string(shortcut.words) + "   (" + shortcut.keys + ")", shortcut.action});
}

}  // namespace

std::vector<PaletteEntry> MatchingOffers(const std::string& text, const std::vector<PaletteEntry>& offers) {
  std::vector<PaletteEntry> entries;
  for (const PaletteEntry& offer : offers)
    if (Matches(offer.words, text)) entries.push_back(offer);
  return entries;
}

std::vector<PaletteEntry> PaletteEntries(const std::string& text, const Place& here,
                                         const std::vector<std::string>& recent,
                                         const std::vector<PaletteEntry>& offers) {
  std::vector<PaletteEntry> entries;
  AddNamed(entries, text, here);
  if (!text.empty()) std::ranges::copy(MatchingOffers(text, offers), std::back_inserter(entries));
  AddViews(entries, text, here);
  AddFiles(entries, text, here, recent);
  AddActions(entries, text);
  AddSearches(entries, text, here);
  // What is typed may be meant as a search only: it must not fall off the end.
  if (entries.size() > kMostEntries && !text.empty() && !here.files.empty())
    entries.erase(entries.begin() + kMostEntries - kSearches, entries.end() - kSearches);
  entries.resize(std::min(entries.size(), kMostEntries));
  return entries;
}

std::optional<PaletteEntry> Palette::Draw(const Place& here, const std::vector<std::string>& recent,
                                          const std::vector<PaletteEntry>& offers, const Theme& theme, Probe* probe) {
  if (opening_) {
    ImGui::OpenPopup("palette");
    text_.clear();
    selected_ = 0;
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y * 0.12f}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({std::min(screen.x * 0.8f, 720 * theme.scale), 0});
  open_ = ImGui::BeginPopup("palette");
  std::optional<PaletteEntry> chosen;
  if (open_) {
    if (opening_) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-1);
    const std::string before = text_;
    const bool enter = ImGui::InputTextWithHint(
        "##text", prefix_.empty() ? "a view, a file, @12, or a part of a type's name" : prefix_.c_str(), &text_,
        ImGuiInputTextFlags_EnterReturnsTrue);
    Mark(probe, "palette.text");
    if (text_ != before) selected_ = 0;
    const auto entries =
        prefix_.empty() ? PaletteEntries(text_, here, recent, offers) : MatchingOffers(prefix_ + text_, offers);
    chosen = DrawEntries(entries, enter, probe);
    if (chosen || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  opening_ = false;
  return chosen;
}

std::optional<PaletteEntry> Palette::DrawEntries(const std::vector<PaletteEntry>& entries, bool enter, Probe* probe) {
  if (entries.empty()) {
    ImGui::TextDisabled("Nothing is called so.");
    return std::nullopt;
  }
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow))) ++selected_;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow)) && selected_ > 0) --selected_;
  selected_ = std::min(selected_, entries.size() - 1);
  std::optional<PaletteEntry> chosen;
  for (size_t i = 0; i < entries.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(presentation::VisibleText(entries[i].words).c_str(), i == selected_)) chosen = entries[i];
    ImGui::PopID();
    Mark(probe, "palette." + std::to_string(i));
  }
  if (enter) chosen = entries[selected_];
  return chosen;
}

}  // namespace cairn::ui
