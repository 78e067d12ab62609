#pragma once
// What a panel is given, and what it may do: draw, and say where the user wants to go. Only the shell goes there.
// Thread rule: the window's thread, within a frame.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/pages/page.h"
#include "viewer/ui/hints.h"
#include "viewer/ui/probe.h"
#include "viewer/ui/settings.h"
#include "viewer/ui/tab.h"
#include "viewer/ui/theme.h"

namespace cairn::ui {

// The page below the page: null until it has come.
struct Aside {
  const presentation::Page* page = nullptr;
  const Error* failure = nullptr;
};

// Columns of a table that somebody chose to see; none: those that the table shows by itself.
struct ColumnWish {
  std::string table;
  std::vector<std::string> columns;
};

// How wide the columns of a table have been drawn; see ColumnWidths.
struct WidthWish {
  std::string table;
  std::map<std::string, float> widths;
};

// What was asked for in this frame.
struct Wishes {
  std::optional<presentation::Place> go, go_in_new_tab, rearrange;
  std::string copy;  // text for the clipboard
  std::optional<ColumnWish> columns;
  std::optional<WidthWish> widths;
};

struct PanelContext {
  const presentation::Place& place;
  const presentation::Page& page;
  Visit& visit;
  const Theme& theme;
  Wishes& wishes;
  const Aside& aside;
  Probe* probe = nullptr;
  bool has_keyboard = true;  // no text field and no popup has it
  const Settings* settings = nullptr;
  size_t layout = 0;            // counts how often widths went back to what they are at first
  bool choose_columns = false;  // the table with the keyboard is to ask for them
  Hints* hints = nullptr;

  // The place that a click leads to, in a new tab with Ctrl or the middle button.
  void Follow(const presentation::Place& target, bool new_tab) const {
    (new_tab ? wishes.go_in_new_tab : wishes.go) = target;
  }
  void Hint(ImVec2 at, const presentation::Place& target) const {
    if (hints) hints->Add(at, target);
  }
};

class Panel {
 public:
  virtual ~Panel() = default;
  virtual void DrawContent(const PanelContext& context) const = 0;
};

// The panel of a view; panels keep nothing.
const Panel& PanelOf(presentation::View view);

}  // namespace cairn::ui
