#include "viewer/ui/shortcuts.h"

#include <imgui.h>

namespace cairn::ui {
namespace {

constexpr Shortcut kShortcuts[] = {
    {Action::kPalette, "Ctrl-P", "go anywhere, do anything"},
    {Action::kFilter, "Ctrl-F", "filter the table"},
    {Action::kSort, "Ctrl-S", "sort the table by a column"},
    {Action::kHints, "G", "follow a fact, a bar or a tile by its letters"},
    {Action::kNextTable, "F6", "the next table of the page takes the keys"},
    {Action::kBack, "Alt-Left", "back"},
    {Action::kForward, "Alt-Right", "forward"},
    {Action::kCopyCommand, "Ctrl-Shift-C", "copy as cairn command line"},
    {Action::kCopyPlace, "Ctrl-Shift-L", "copy as command that opens the window here"},
    {Action::kCopyText, "Ctrl-Shift-T", "copy the page as text"},
    {Action::kExport, "Ctrl-E", "export the table as CSV or JSON"},
    {Action::kColumns, "Ctrl-K", "choose the columns of the table"},
    {Action::kNote, "Ctrl-N", "write a note about what is shown"},
    {Action::kNewTab, "Ctrl-T", "another tab at the same place"},
    {Action::kCloseTab, "Ctrl-W", "close the tab"},
    {Action::kNextTab, "Ctrl-Tab", "next tab"},
    {Action::kLastTabs, "Ctrl-Shift-O", "the tabs of last time"},
    {Action::kReload, "F5", "read the file again"},
    {Action::kTheme, "Ctrl-D", "light or dark"},
    {Action::kLarger, "Ctrl-Plus", "larger"},
    {Action::kSmaller, "Ctrl-Minus", "smaller"},
    {Action::kCheatSheet, "?", "these keys"},
    {Action::kQuit, "Ctrl-Q", "quit"},
};

constexpr Shortcut kTableKeys[] = {
    {Action::kCheatSheet, "Up, Down, Page, Home, End", "choose a row"},
    {Action::kCheatSheet, "Left, Right", "choose a cell of the row"},
    {Action::kCheatSheet, "Enter", "go where the row or its chosen cell leads"},
    {Action::kCheatSheet, "Ctrl-Enter, Ctrl-click", "the same in a new tab"},
    {Action::kCheatSheet, "Ctrl-C", "copy the row"},
    {Action::kCheatSheet, "Right-click a title", "choose columns"},
    {Action::kCheatSheet, "Shift-arrows, Space", "in a heap map: choose a square; go to the objects of its generation"},
    {Action::kCheatSheet, "Up, Down, Space, Enter", "at the start: choose a file, tick it, open it"},
    {Action::kCheatSheet, "Ctrl-Enter, Shift-Enter", "at the start: compare those ticked; their timeline"},
    {Action::kCheatSheet, "Left, Right, Space", "in a timeline: choose a snapshot; what changed since the one before"},
    {Action::kCheatSheet, "arrows, Enter, Backspace",
     "in a flame graph: choose a box; enlarge it, go to its type; back"},
    {Action::kCheatSheet, "arrows, Enter, Backspace", "in an allocation graph: choose a node; go to its type; none"},
    {Action::kCheatSheet, "Ctrl-Enter in SQL", "ask"},
    {Action::kCheatSheet, "Click a title", "sort; with Shift by one more column"},
};

// What GLFW calls the keys; letters are their capital.
enum Key {
  kTab = 258,
  kRight = 262,
  kLeft = 263,
  kF5 = 294,
  kF6 = 295,
  kPlus = 61,
  kMinus = 45,
  kPlusPad = 334,
  kMinusPad = 333
};

bool Pressed(int key) { return ImGui::IsKeyPressed(key, false); }

std::optional<Action> WithControl(bool shift) {
  if (shift && Pressed('C')) return Action::kCopyCommand;
  if (shift && Pressed('L')) return Action::kCopyPlace;
  if (shift && Pressed('T')) return Action::kCopyText;
  if (shift && Pressed('O')) return Action::kLastTabs;
  if (Pressed('P')) return Action::kPalette;
  if (Pressed('F')) return Action::kFilter;
  if (Pressed('S')) return Action::kSort;
  if (Pressed('T')) return Action::kNewTab;
  if (Pressed('E')) return Action::kExport;
  if (Pressed('K')) return Action::kColumns;
  if (Pressed('N')) return Action::kNote;
  if (Pressed('W')) return Action::kCloseTab;
  if (Pressed(kTab)) return Action::kNextTab;
  if (Pressed('D')) return Action::kTheme;
  if (Pressed(kPlus) || Pressed(kPlusPad)) return Action::kLarger;
  if (Pressed(kMinus) || Pressed(kMinusPad)) return Action::kSmaller;
  if (Pressed('Q')) return Action::kQuit;
  return std::nullopt;
}

bool Typed(ImWchar letter) {
  for (const ImWchar typed : ImGui::GetIO().InputQueueCharacters)
    if (typed == letter) return true;
  return false;
}

}  // namespace

std::span<const Shortcut> Shortcuts() { return kShortcuts; }
std::span<const Shortcut> TableKeys() { return kTableKeys; }

std::optional<Action> PressedAction(bool typing) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl) return WithControl(io.KeyShift);
  if (io.KeyAlt && Pressed(kLeft)) return Action::kBack;
  if (io.KeyAlt && Pressed(kRight)) return Action::kForward;
  if (Pressed(kF5)) return Action::kReload;
  if (Pressed(kF6)) return Action::kNextTable;
  if (!typing && (Typed('g') || Typed('G'))) return Action::kHints;
  if (!typing && Typed('?')) return Action::kCheatSheet;
  return std::nullopt;
}

}  // namespace cairn::ui
