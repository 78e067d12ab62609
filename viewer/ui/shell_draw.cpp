// How the shell looks.

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"
#include "viewer/ui/page_parts.h"
#include "viewer/ui/query_editor.h"
#include "viewer/ui/shell.h"
#include "viewer/ui/table_widget.h"

namespace cairn::ui {

using presentation::Place;
using presentation::View;
using presentation::ViewInfo;
using presentation::VisibleText;

namespace {

constexpr float kNavigationWidth = 168;
constexpr size_t kMostNames = 3;  // of files, in the navigation

// Views of one object or type are gone to by links; the pictures of allocations from their tables.
bool IsInNavigation(View view) {
  return view != View::kStart && view != View::kObject && view != View::kPaths && view != View::kDiff &&
         view != View::kFlame && view != View::kAllocationGraph;
}

// Objects have no free text; their filter is a pattern of types.
bool HasFilter(View view) {
  return view != View::kStart && view != View::kOverview && view != View::kTreemap && view != View::kObject &&
         view != View::kNotes && view != View::kFlame && view != View::kAllocationGraph;
}

bool HasKeyboard() { return !ImGui::GetIO().WantTextInput && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId); }

// Names of a series differ at their ends.
std::string EndOf(const std::string& name, float room) {
  if (ImGui::CalcTextSize(name.c_str()).x <= room) return name;
  size_t from = 0;
  while (from < name.size() && ImGui::CalcTextSize(("…" + name.substr(from)).c_str()).x > room) ++from;
  return "…" + name.substr(from);
}

void DrawFileName(const std::string& file) {
  const std::string name = VisibleText(file.substr(file.rfind('/') + 1));
  ImGui::TextDisabled("%s", EndOf(name, ImGui::GetContentRegionAvail().x).c_str());
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", VisibleText(file).c_str());
}

std::string ProgressWords(const presentation::JobState& job) {
  const presentation::JobProgress at = job.Progress();
  std::string words = VisibleText(job.Description());
  if (!at.step.empty()) words += ": " + VisibleText(at.step);
  if (at.total > 0) words += ", " + presentation::Percentage(std::min(at.done, at.total), at.total);
  return words;
}

}  // namespace

void Shell::Draw() {
  if (options_.probe) options_.probe->areas.clear();
  ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;  // only in popups that ask for it
  if (const auto action = PressedAction(ImGui::GetIO().WantTextInput || hints_.IsShown())) Do(*action);
  Wishes arrived;
  start_.Update(arrived);
  Grant(arrived);
  FollowSeries();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  // Its background is what the screen was cleared with: drawn in software, once more would be a quarter of a frame.
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                      ImGuiWindowFlags_NoBackground;
  ImGui::Begin("cairn", nullptr, kFlags);
  const float status = ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("navigation", {kNavigationWidth * theme_.scale, -status});
  DrawNavigation();
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("main", {0, -status}, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  DrawTabs();
  DrawTopLine();
  DrawPage();
  ImGui::EndChild();
  DrawStatus();
  DrawPopups();
  ImGui::End();
  RememberTabs();
  SaveIfDrawn();
}

void Shell::DrawNavigation() {
  const Place here = Current().Where();
  if (ImGui::Selectable("Start", here.view == View::kStart)) Go(Place());
  Mark(options_.probe, "view.start");
  if (here.files.empty()) return;
  ImGui::Dummy({0, 4 * theme_.scale});
  for (size_t i = 0; i < here.files.size(); ++i) {
    const bool is_inner = here.files.size() > kMostNames && i > 0 && i + 1 < here.files.size();
    if (!is_inner)
      DrawFileName(here.files[i]);
    else if (i == 1)
      ImGui::TextDisabled("… %zu more …", here.files.size() - 2);
  }
  if (here.files.size() > 1) DrawView(presentation::InfoOf(View::kDiff));
  for (const ViewInfo& info : presentation::Views())
    if (IsInNavigation(info.view)) DrawView(info);
}

void Shell::DrawView(const ViewInfo& info) {
  const Place here = Current().Where();
  if (ImGui::Selectable(info.title, here.view == info.view)) Go(here.Of(info.view));
  Mark(options_.probe, std::string("view.") + info.word);
}

void Shell::DrawTabs() {
  constexpr ImGuiTabBarFlags kFlags = ImGuiTabBarFlags_AutoSelectNewTabs | ImGuiTabBarFlags_FittingPolicyScroll;
  if (!ImGui::BeginTabBar("tabs", kFlags)) return;
  const size_t wanted = current_;
  std::optional<size_t> closed;
  for (size_t i = 0; i < tabs_.size(); ++i) {
    bool open = true;
    const std::string label = VisibleText(TitleOf(tabs_[i]->Where())) + "###" + std::to_string(tabs_[i]->Id());
    const bool select = select_tab_ && i == wanted;
    if (ImGui::BeginTabItem(label.c_str(), &open, select ? ImGuiTabItemFlags_SetSelected : 0)) {
      if (!select_tab_) current_ = i;
      ImGui::EndTabItem();
    }
    Mark(options_.probe, "tab." + std::to_string(i));
    if (!open) closed = i;
  }
  select_tab_ = false;
  ImGui::EndTabBar();
  if (closed) CloseTab(*closed);
}

void Shell::DrawTopLine() {
  const auto button = [&](const char* name, ImGuiDir direction, bool possible, Action action) {
    ImGui::BeginDisabled(!possible);
    if (ImGui::ArrowButton(name, direction)) Do(action);
    ImGui::EndDisabled();
    Mark(options_.probe, name);
    ImGui::SameLine();
  };
  button("back", ImGuiDir_Left, Current().CanGoBack(), Action::kBack);
  button("forward", ImGuiDir_Right, Current().CanGoForward(), Action::kForward);
  if (ImGui::Button("Copy")) Do(Action::kCopyCommand);
  Mark(options_.probe, "copy");
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("Copy the command line that prints the same (Ctrl-Shift-C); Ctrl-Shift-T: the page as text");
  ImGui::SameLine();
  ImGui::PushFont(theme_.number);
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", VisibleText(presentation::CommandOf(Current().Where())).c_str());
  ImGui::PopFont();
  if (HasFilter(Current().Where().view)) DrawFilter();
}

void Shell::DrawFilter() {
  Tab& tab = Current();
  std::string& text = tab.Here().filter_text;
  const bool by_type = tab.Where().view == View::kObjects;
  if (focus_filter_) ImGui::SetKeyboardFocusHere();
  focus_filter_ = false;
  ImGui::SetNextItemWidth(360 * theme_.scale);
  const char* hint = by_type ? "types: Shop.Order, Shop.*, /regex/, then Enter" : "filter (Ctrl-F)";
  const ImGuiInputTextFlags flags = by_type ? ImGuiInputTextFlags_EnterReturnsTrue : 0;
  const bool changed = ImGui::InputTextWithHint(("##filter" + std::to_string(tab.Id())).c_str(), hint, &text, flags);
  Mark(options_.probe, "filter");
  if (!changed) return;
  if (!by_type) return tab.Rearrange(tab.Where().Filtered(text));
  Place place = tab.Where();
  place.type = text;
  Go(place);
}

void Shell::DrawPage() {
  ImGui::Separator();
  Tab& tab = Current();
  Wishes wishes;
  if (tab.Where().view == View::kStart) {
    hints_.Hide();
    start_.Draw(settings_.recent, theme_, wishes, options_.probe, HasKeyboard());
    return Grant(wishes);
  }
  tab.Update(jobs_, loader_);
  if (tab.Where().view == View::kSql) DrawQuery();
  if (tab.Failure()) {
    if (DrawFailure(*tab.Failure(), theme_, options_.probe)) Reload();
  } else if (!tab.Shown()) {
    ImGui::TextDisabled("Reading …");
  } else {
    DrawContent(*tab.Shown());
  }
}

void Shell::DrawQuery() {
  Visit& visit = Current().Here();
  const bool is_new = visit.query_text.empty() && !ImGui::IsAnyItemActive() && ImGui::IsWindowAppearing();
  if (const auto sql = DrawQueryEditor(visit.query_text, settings_.queries, is_new, theme_, options_.probe)) Ask(*sql);
}

void Shell::DrawNote(const presentation::Page& page) {
  if (!page.subject) return;
  const auto written = note_.Draw(*page.subject, theme_, options_.probe);
  if (!written) return;
  message_ = *written ? "The note is kept." : written->error().message;
  if (Current().Where().view == View::kNotes) Current().Reload();
}

// What a panel throws stays here: a page that cannot be drawn takes nothing else with it.
void Shell::DrawContent(const presentation::Page& page) {
  Tab& tab = Current();
  tab.Here().tables.resize(std::max({tab.Here().tables.size(), page.sections.size(), size_t{1}}));
  const Place place = tab.Where();
  Wishes wishes;
  const Aside aside{tab.Aside(), tab.AsideFailure() ? &*tab.AsideFailure() : nullptr};
  const PanelContext context{place,
                             page,
                             tab.Here(),
                             theme_,
                             wishes,
                             aside,
                             options_.probe,
                             HasKeyboard(),
                             &settings_,
                             layout_,
                             std::exchange(choose_columns_, false),
                             &hints_};
  ImGui::TextUnformatted(VisibleText(page.heading).c_str());
  if (page.is_preview && tab.IsLoading()) {
    ImGui::SameLine();
    ImGui::TextDisabled("what is reachable and retained is still being computed …");
  }
  DrawNote(page);
  DrawNotices(context);
  try {
    PanelOf(place.view).DrawContent(context);
  } catch (const std::exception& error) {
    message_ = std::string("This page could not be drawn: ") + error.what();
  }
  if (const auto hinted = hints_.Draw(theme_, options_.probe)) wishes.go = *hinted;
  Grant(wishes);
}

void Shell::DrawStatus() {
  const auto unfinished = jobs_.Unfinished();
  if (unfinished.empty()) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", message_.empty() ? "?  keys     Ctrl-P  go anywhere" : VisibleText(message_).c_str());
    return;
  }
  if (ImGui::SmallButton("Cancel")) unfinished.front()->Cancel();
  Mark(options_.probe, "cancel");
  ImGui::SameLine();
  ImGui::TextUnformatted(ProgressWords(*unfinished.front()).c_str());
  if (unfinished.size() > 1) {
    ImGui::SameLine();
    ImGui::TextDisabled("and %zu more", unfinished.size() - 1);
  }
}

void Shell::DrawPopups() {
  const auto offers = palette_.IsOpen() ? Offers() : std::vector<PaletteEntry>();
  if (const auto chosen = palette_.Draw(Current().Where(), settings_.recent, offers, theme_, options_.probe))
    FollowEntry(*chosen);
  if (const auto told = export_.Draw(theme_, options_.probe)) message_ = *told;
  DrawCheatSheet();
}

void Shell::FollowEntry(const PaletteEntry& entry) {
  if (const auto* place = std::get_if<Place>(&entry.leads_to)) return Go(*place);
  if (const auto* order = std::get_if<Rearrangement>(&entry.leads_to)) return Current().Rearrange(order->place);
  if (const auto* process = std::get_if<presentation::ProcessRow>(&entry.leads_to)) return start_.Capture(*process);
  Do(std::get<Action>(entry.leads_to));
}

// What only this page or this machine has: columns to sort by, processes to capture.
std::vector<PaletteEntry> Shell::Offers() {
  std::vector<PaletteEntry> offers;
  const Place& here = Current().Where();
  const presentation::Page* page = Current().Shown();
  if (page && !page->sections.empty() && HasFilter(here.view)) {
    const auto columns = page->sections.front().table->Columns();
    for (const size_t shown : page->sections.front().shown)
      offers.push_back({"Sort by " + columns[shown].title, Rearrangement{SortedBy(here, columns[shown], false)}});
    for (const size_t shown : here.sort.empty() ? std::vector<size_t>() : page->sections.front().shown)
      offers.push_back({"Then sort by " + columns[shown].title, Rearrangement{SortedBy(here, columns[shown], true)}});
  }
  for (const presentation::ProcessRow& row : start_.Offered())
    offers.push_back({"Capture " + row.name + ", process " + std::to_string(row.pid), row});
  return offers;
}

void Shell::DrawCheatSheet() {
  if (show_keys_) ImGui::OpenPopup("keys");
  show_keys_ = false;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopup("keys")) return;
  if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
    for (const auto list : {Shortcuts(), TableKeys()})
      for (const Shortcut& shortcut : list) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(shortcut.keys);
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(shortcut.words);
      }
    ImGui::EndTable();
  }
  Mark(options_.probe, "keys");
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace cairn::ui
