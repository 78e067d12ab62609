#pragma once
// Every key of the window, in one list: the shell acts on it, the cheat sheet and the palette show it.
// Thread rule: the window's thread, within a frame.

#include <optional>
#include <span>

namespace cairn::ui {

enum class Action {
  kBack,
  kForward,
  kPalette,
  kFilter,
  kSort,
  kHints,
  kNextTable,
  kCopyCommand,
  kCopyPlace,
  kCopyText,
  kExport,
  kColumns,
  kNote,
  kNewTab,
  kCloseTab,
  kNextTab,
  kLastTabs,
  kReload,
  kTheme,
  kLarger,
  kSmaller,
  kCheatSheet,
  kQuit,
};

struct Shortcut {
  Action action{};
  const char* keys;   // for people
  const char* words;  // what it does
};
std::span<const Shortcut> Shortcuts();
// Keys that the tables themselves take.
std::span<const Shortcut> TableKeys();

// What was pressed in this frame. `typing`: letters belong to a text field.
std::optional<Action> PressedAction(bool typing);

}  // namespace cairn::ui
