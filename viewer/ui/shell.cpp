#include "viewer/ui/shell.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "viewer/presentation/pages/page_text.h"

namespace cairn::ui {

using presentation::Place;
using presentation::View;

namespace {

constexpr float kLeastZoom = 0.5f, kMostZoom = 3;

// The timeline of one snapshot is that of its series.
Place WithSeries(Place place) {
  if (place.view == View::kTimeline && place.files.size() == 1)
    place.files = presentation::SeriesOf(place.files.front());
  return place;
}

// The next window may be started in another folder.
Place WithWholePaths(Place place) {
  for (std::string& file : place.files) {
    std::error_code error;
    const std::string whole = std::filesystem::absolute(file, error).string();
    if (!error) file = whole;
  }
  return place;
}

}  // namespace

Shell::Shell(ShellOptions options, LiveTarget& live)
    : options_(std::move(options)),
      settings_(LoadSettings(options_.settings_path)),
      notes_(std::make_shared<presentation::NoteBook>(NotesPath(options_.settings_path))),
      loader_(std::make_shared<presentation::PageLoader>(options_.session, notes_)),
      jobs_(options_.threads, options_.wake),
      start_(live, jobs_),
      export_(jobs_),
      note_(*notes_) {
  theme_.dark = settings_.dark;
  last_tabs_ = settings_.tabs;
  last_tab_ = settings_.tab;
  tabs_.push_back(std::make_unique<Tab>(Place(), next_tab_++));
  SetScreenScale(1);
}

Shell::~Shell() {
  note_.Close();
  SaveSettings(settings_, options_.settings_path);
}

void Shell::Open(Place place) {
  place = WithSeries(std::move(place));
  Remember(place);
  const bool only_start = tabs_.size() == 1 && Current().Where().view == View::kStart && !Current().CanGoBack();
  if (only_start && place.view != View::kStart) return Current().Go(std::move(place));
  tabs_.push_back(std::make_unique<Tab>(std::move(place), next_tab_++));
  current_ = tabs_.size() - 1;
  select_tab_ = true;
}

void Shell::RestoreTabs() {
  std::vector<std::unique_ptr<Tab>> tabs;
  for (const std::string& text : last_tabs_)
    if (auto place = presentation::ParsePlace(text))
      tabs.push_back(std::make_unique<Tab>(WithSeries(std::move(*place)), next_tab_++));
  if (tabs.empty()) return;
  tabs_ = std::move(tabs);
  current_ = std::min(last_tab_, tabs_.size() - 1);
  select_tab_ = true;
}

// Written when they have changed: a window may end with its machine.
void Shell::RememberTabs() {
  const bool is_kept = std::equal(tabs_.begin(), tabs_.end(), kept_.begin(), kept_.end(),
                                  [](const auto& tab, const Place& kept) { return tab->Where() == kept; });
  if (is_kept && settings_.tab == current_) return;
  kept_.clear();
  settings_.tabs.clear();
  for (const auto& tab : tabs_) {
    kept_.push_back(tab->Where());
    settings_.tabs.push_back(presentation::ToText(WithWholePaths(tab->Where())));
  }
  settings_.tab = current_;
  SaveSettings(settings_, options_.settings_path);
}

// Not in every frame in which a border is dragged.
void Shell::SaveIfDrawn() {
  if (!unsaved_ || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  unsaved_ = false;
  SaveSettings(settings_, options_.settings_path);
}

void Shell::Go(const Place& wanted) {
  const Place place = WithSeries(wanted);
  Remember(place);
  Current().Go(place);
}

void Shell::Ask(const std::string& sql) {
  settings_.RememberQuery(sql);
  SaveSettings(settings_, options_.settings_path);
  const Place place = Current().Where().Asking(sql);
  if (place == Current().Where()) return Reload();
  Go(place);
}

bool Shell::WatchesSeries() const {
  const Place& here = Current().Where();
  return here.view == View::kTimeline && !here.files.empty();
}

// A series that has grown is the same place with more files.
void Shell::FollowSeries() {
  if (!HasNews()) return;
  news_ = false;
  Place place = Current().Where();
  const auto later = presentation::LaterInSeries(place.files);
  if (later.empty()) return;
  place.files.insert(place.files.end(), later.begin(), later.end());
  Remember(place);
  Current().Rearrange(std::move(place));
}

void Shell::CopyText() {
  const presentation::Page* page = Current().Shown();
  if (!page) return Copy(presentation::CommandOf(Current().Where()));
  Copy(presentation::PageText(*page, Current().Where()));
}

void Shell::SetWindowSize(int width, int height, bool maximized) {
  settings_.maximized = maximized;
  if (maximized) return;  // what it was before is what it goes back to
  settings_.width = static_cast<int>(std::lround(static_cast<float>(width) / screen_scale_));
  settings_.height = static_cast<int>(std::lround(static_cast<float>(height) / screen_scale_));
}

// Written at once: a window may end with its machine. What is not there was mistyped or is gone.
void Shell::Remember(const Place& place) {
  const Settings before = settings_;
  std::error_code error;
  for (const std::string& file : place.files)
    if (std::filesystem::exists(file, error)) settings_.Remember(file);
  if (settings_ != before) SaveSettings(settings_, options_.settings_path);
}

void Shell::Reload() {
  for (const std::string& file : Current().Where().files) loader_->Forget(file);
  Current().Reload();
}

void Shell::CloseTab(size_t tab) {
  tabs_.erase(tabs_.begin() + static_cast<long>(tab));
  if (tabs_.empty()) tabs_.push_back(std::make_unique<Tab>(Place(), next_tab_++));
  if (current_ > tab || current_ == tabs_.size()) --current_;
  select_tab_ = true;
}

void Shell::SetScreenScale(float scale) {
  screen_scale_ = scale;
  Zoom(1);
}

void Shell::Zoom(float factor) {
  settings_.zoom = std::clamp(settings_.zoom * factor, kLeastZoom, kMostZoom);
  const float scale = settings_.zoom * screen_scale_;
  theme_changed_ = theme_changed_ || scale != theme_.scale;
  theme_.scale = scale;
}

bool Shell::TakeThemeChange() { return std::exchange(theme_changed_, false); }

void Shell::Copy(const std::string& text) {
  ImGui::SetClipboardText(text.c_str());
  message_ = "Copied: " + text.substr(0, text.find('\n'));
}

void Shell::Grant(Wishes& wishes) {
  if (!wishes.copy.empty()) Copy(wishes.copy);
  if (wishes.widths) {
    for (const auto& [column, width] : wishes.widths->widths) settings_.widths[wishes.widths->table][column] = width;
    unsaved_ = true;
  }
  if (wishes.columns) {
    if (wishes.columns->columns.empty()) ++layout_;
    settings_.Choose(wishes.columns->table, std::move(wishes.columns->columns));
    SaveSettings(settings_, options_.settings_path);
  }
  if (wishes.rearrange) Current().Rearrange(*wishes.rearrange);
  if (wishes.go) Go(*wishes.go);
  if (wishes.go_in_new_tab) Open(*wishes.go_in_new_tab);
}

void Shell::NextTable() {
  Tab& tab = Current();
  const size_t tables = tab.Shown() ? tab.Shown()->sections.size() : 0;
  tab.Here().keys = tables == 0 ? 0 : (tab.Here().keys + 1) % tables;
}

void Shell::Do(Action action) {
  switch (action) {
    case Action::kBack:
      return Current().Back();
    case Action::kForward:
      return Current().Forward();
    case Action::kPalette:
      return palette_.Open();
    case Action::kFilter:
      focus_filter_ = true;
      return;
    case Action::kSort:
      return palette_.Open("sort by ");
    case Action::kHints:
      return hints_.Toggle();
    case Action::kNextTable:
      return NextTable();
    case Action::kCopyCommand:
      return Copy(presentation::CommandOf(Current().Where()));
    case Action::kCopyPlace:
      return Copy(presentation::ViewCommandOf(Current().Where()));
    case Action::kCopyText:
      return CopyText();
    case Action::kExport:
      return export_.Open(Current().ShownPage(), Current().Where());
    case Action::kColumns:
      choose_columns_ = true;
      return;
    case Action::kNote:
      return note_.Toggle();
    case Action::kNewTab:
      return Open(Current().Where());
    case Action::kLastTabs:
      return RestoreTabs();
    case Action::kCloseTab:
      return CloseTab(current_);
    case Action::kNextTab:
      current_ = (current_ + 1) % tabs_.size();
      select_tab_ = true;
      return;
    case Action::kReload:
      return Reload();
    case Action::kTheme:
      theme_.dark = settings_.dark = !theme_.dark;
      theme_changed_ = true;
      return;
    case Action::kLarger:
      return Zoom(1.1f);
    case Action::kSmaller:
      return Zoom(1 / 1.1f);
    case Action::kCheatSheet:
      show_keys_ = true;
      return;
    case Action::kQuit:
      quit_ = true;
      return;
  }
}

}  // namespace cairn::ui
