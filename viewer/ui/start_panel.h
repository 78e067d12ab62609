#pragma once
// Where one begins: files of late, a field for another one, live processes to capture.
// Thread rule: the window's thread.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "viewer/presentation/jobs.h"
#include "viewer/presentation/tables/process_table.h"
#include "viewer/ui/live_target.h"
#include "viewer/ui/panel.h"

namespace cairn::ui {

// With what a capture of it would cost.
struct LiveProcess {
  presentation::ProcessRow row;
  PauseEstimate pause;
};

class StartPanel {
 public:
  StartPanel(LiveTarget& live, presentation::JobRunner& jobs) : live_(live), jobs_(jobs) {}

  // `wishes.go` where a file is to be opened. Up and Down choose one of late, Space ticks it, Enter opens it; with Ctrl
  // those ticked are compared, with Shift shown as a timeline.
  void Draw(const std::vector<std::string>& recent, const Theme& theme, Wishes& wishes, Probe* probe,
            bool has_keyboard);
  // Those that can be captured, as far as they are known; looks for them at first.
  std::vector<presentation::ProcessRow> Offered();
  // With the options that are set.
  void Capture(const presentation::ProcessRow& row);
  bool IsCapturing() const { return capturing_.IsWanted(); }
  // Also while it is not drawn: a capture that has ended opens.
  void Update(Wishes& wishes);

 private:
  void DrawFiles(const std::vector<std::string>& recent, Wishes& wishes, Probe* probe);
  void DrawRecent(const std::string& file, bool is_chosen, Wishes& wishes, Probe* probe);
  void HandleKeys(const std::vector<std::string>& recent, Wishes& wishes);
  void Tick(const std::string& file);
  void GoToTicked(presentation::View view, Wishes& wishes) const;
  void DrawCompare(Wishes& wishes, Probe* probe);
  void DrawProcesses(const Theme& theme, Probe* probe);
  void DrawCaptureOptions(const Theme& theme, Probe* probe);
  void DrawProcess(const LiveProcess& process, const Theme& theme, Probe* probe);
  void DrawPause(const LiveProcess& process, const Theme& theme);
  void DrawCapture(const Theme& theme, Probe* probe);
  void List();

  LiveTarget& live_;
  presentation::JobRunner& jobs_;
  std::string path_;                 // as it is being typed
  std::vector<std::string> ticked_;  // files to compare, in the order of the ticks
  std::string chosen_;               // of those of late, by the keyboard; what was opened last comes first in them
  bool full_ = false, listed_ = false;
  int most_ms_ = 0;  // 0: no limit
  presentation::Job<std::vector<LiveProcess>> listing_;
  std::vector<LiveProcess> processes_;
  presentation::Job<std::string> capturing_;
  std::string capture_title_;
  std::optional<Error> failure_;
};

}  // namespace cairn::ui
