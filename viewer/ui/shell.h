#pragma once
// The one window: navigation, tabs, what is above and below a panel. Only the shell goes anywhere, opens windows and
// popups, and catches what a panel throws.
// Thread rule: the window's thread. Ownership: `live` and the probe outlive it.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/series_files.h"
#include "viewer/ui/export_dialog.h"
#include "viewer/ui/note_editor.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/panel.h"
#include "viewer/ui/settings.h"
#include "viewer/ui/shortcuts.h"
#include "viewer/ui/start_panel.h"
#include "viewer/ui/tab.h"

namespace cairn::ui {

struct ShellOptions {
  session::SnapshotSession::Options session;
  std::string settings_path;   // empty: nothing is remembered
  std::function<void()> wake;  // from any thread: there is something new to draw
  unsigned threads = 2;
  Probe* probe = nullptr;
};

class Shell {
 public:
  Shell(ShellOptions options, LiveTarget& live);
  ~Shell();

  // In a tab of its own, which is shown; at first in place of the start.
  void Open(presentation::Place place);
  // The tabs of last time in place of those that are there, where there were any.
  void RestoreTabs();
  // One frame, between NewFrame and Render.
  void Draw();

  bool WantsToQuit() const { return quit_; }
  // Something moves by itself: draw again soon.
  bool IsBusy() const { return !jobs_.Unfinished().empty(); }
  // A series is shown that may grow: HasNews is to be asked now and then. One look at a folder.
  bool WatchesSeries() const;
  bool HasNews() { return WatchesSeries() && (news_ = news_ || series_.HasChanged(Current().Where().files.back())); }
  // Light or dark, or another size, since the last call: Apply the theme before the next frame.
  bool TakeThemeChange();
  // Of the screen; 1 for the usual one.
  void SetScreenScale(float scale);

  Theme& GetTheme() { return theme_; }
  const Theme& GetTheme() const { return theme_; }
  const Tab& Current() const { return *tabs_[current_]; }
  Tab& Current() { return *tabs_[current_]; }
  size_t TabCount() const { return tabs_.size(); }
  const Settings& GetSettings() const { return settings_; }
  // Of the window in pixels, for the next start.
  void SetWindowSize(int width, int height, bool maximized);
  // What was done last.
  const std::string& Message() const { return message_; }
  presentation::NoteBook& Notes() { return *notes_; }
  presentation::JobRunner& Jobs() { return jobs_; }

 private:
  void DrawNavigation();
  void DrawView(const presentation::ViewInfo& info);
  void DrawTabs();
  void DrawTopLine();
  void DrawFilter();
  void DrawQuery();
  void DrawNote(const presentation::Page& page);
  void DrawPage();
  void DrawContent(const presentation::Page& page);
  void DrawStatus();
  void DrawPopups();
  void FollowEntry(const PaletteEntry& entry);
  std::vector<PaletteEntry> Offers();
  void DrawCheatSheet();
  void Do(Action action);
  void Grant(Wishes& wishes);
  void Go(const presentation::Place& place);
  void Remember(const presentation::Place& place);
  void Ask(const std::string& sql);
  void FollowSeries();
  void RememberTabs();
  void SaveIfDrawn();
  void CopyText();
  void Reload();
  void CloseTab(size_t tab);
  void NextTable();
  void Zoom(float factor);
  void Copy(const std::string& text);

  const ShellOptions options_;
  Settings settings_;
  Theme theme_;
  float screen_scale_ = 1;
  std::shared_ptr<presentation::NoteBook> notes_;
  std::shared_ptr<presentation::PageLoader> loader_;
  presentation::SeriesFolder series_;
  std::vector<std::unique_ptr<Tab>> tabs_;  // never empty
  size_t current_ = 0;
  uint64_t next_tab_ = 1;
  bool select_tab_ = false, theme_changed_ = true, quit_ = false, focus_filter_ = false, show_keys_ = false;
  bool news_ = false, choose_columns_ = false;
  bool unsaved_ = false;                // widths that are being dragged
  size_t layout_ = 0;                   // see PanelContext
  std::vector<std::string> last_tabs_;  // as they were when the window was opened
  size_t last_tab_ = 0;
  std::vector<presentation::Place> kept_;  // places of tabs as they are remembered
  std::string message_;                    // what was done last
  Palette palette_;
  Hints hints_;
  presentation::JobRunner jobs_;  // goes before what jobs use
  StartPanel start_;
  ExportDialog export_;
  NoteEditor note_;
};

}  // namespace cairn::ui
