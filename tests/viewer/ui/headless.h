#pragma once
// The shell without a window: frames are built and thrown away, mouse and keys are told, widgets are found by name.

#include <imgui.h>

#include <memory>
#include <string>
#include <vector>

#include "viewer/ui/shell.h"

namespace cairn::ui::testing {

// Processes that a test makes up. Capture gives `result`, after `steps` of progress.
struct FakeLive : LiveTarget {
  std::vector<presentation::ProcessRow> rows;
  Result<std::string> result = std::string();
  bool waits_for_cancel = false;

  Result<std::vector<presentation::ProcessRow>> Processes() override { return rows; }
  PauseEstimate Estimate(const presentation::ProcessRow&) override { return {12, 30, true}; }
  Result<std::string> Capture(const CaptureWish& wish, presentation::JobContext& context) override;
  std::vector<int64_t> captured;
  std::vector<CaptureWish> wishes;
};

class Headless {
 public:
  explicit Headless(std::string settings_path = "");
  ~Headless();

  Shell& TheShell() { return *shell_; }
  FakeLive& Live() { return live_; }
  // Draws until no job is left and all has settled; at least 20 frames.
  void Settle();
  void Frame();

  // ---- what a hand does; each draws the frames that it needs ----
  bool Has(const std::string& widget) const { return probe_.areas.contains(widget); }
  ImVec4 Area(const std::string& widget) const { return probe_.areas.at(widget); }
  void Click(const std::string& widget, bool control = false, bool shift = false);
  void ClickAt(float x, float y);
  void Hover(const std::string& widget);
  void Wheel(float notches);
  void Press(int key, bool control = false, bool alt = false, bool shift = false);
  void Type(const std::string& text);
  void Resize(float width, float height);

  // What the widget `table0` shows of a column: texts row by row, while they are there.
  const presentation::Page& Page() { return *shell_->Current().Shown(); }
  size_t Vertices() const { return vertices_; }
  std::string Clipboard() const { return clipboard_; }

 private:
  void MoveTo(float x, float y);

  Probe probe_;
  FakeLive live_;
  std::unique_ptr<Shell> shell_;
  size_t vertices_ = 0;
  std::string clipboard_;
};

// What GLFW calls them.
enum Key {
  kTabKey = 258,
  kEnterKey = 257,
  kEscapeKey = 256,
  kBackspaceKey = 259,
  kDeleteKey = 261,
  kRightKey = 262,
  kLeftKey = 263,
  kDownKey = 264,
  kUpKey = 265,
  kPageUpKey = 266,
  kPageDownKey = 267,
  kHomeKey = 268,
  kEndKey = 269,
  kF5Key = 294,
  kF6Key = 295
};

}  // namespace cairn::ui::testing
