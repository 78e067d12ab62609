#pragma once
// Letters on all that leads on, so that bars, tiles and facts can be followed without a mouse.
// Thread rule: the window's thread, within a frame.

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/place.h"
#include "viewer/ui/probe.h"
#include "viewer/ui/theme.h"

namespace cairn::ui {

class Hints {
 public:
  void Toggle();
  void Hide() { is_shown_ = false; }
  bool IsShown() const { return is_shown_; }
  // What begins at this point leads there: the letters end where it begins, so that it can be read. While none are
  // shown nothing is kept.
  void Add(ImVec2 at, const presentation::Place& place);
  // How wide letters are at most: where something is to begin that has nothing before it.
  static float Width(const Theme& theme);
  // Over what was drawn; forgets it. The place whose letters were typed in this frame.
  std::optional<presentation::Place> Draw(const Theme& theme, Probe* probe);

 private:
  struct Hint {
    ImVec2 at;
    presentation::Place place;
  };
  std::optional<presentation::Place> Chosen() const;
  void TakeLetters();

  bool is_shown_ = false, is_new_ = false;  // new: its own key is among what was typed
  std::string typed_;
  std::vector<Hint> hints_;
};

// Of the hint of this number, of so many: as many letters as all of them need.
std::string HintLetters(size_t hint, size_t count);

}  // namespace cairn::ui
