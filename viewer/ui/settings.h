#pragma once
// What is remembered between two starts, in a small JSON file of the user's.
// Thread rule: a plain value; Load and Save touch the file.

#include <map>
#include <string>
#include <vector>

namespace cairn::ui {

// The columns of a table that somebody wants to see, in their order, by the table's name: "types/table0".
using ColumnChoices = std::map<std::string, std::vector<std::string>>;
// By the same name, and by column: pixels at a scale of 1; of a text its share of what numbers leave.
using ColumnWidths = std::map<std::string, std::map<std::string, float>>;

struct Settings {
  bool dark = true;
  float zoom = 1;
  std::vector<std::string> recent;     // files, the last opened first
  std::vector<std::string> queries{};  // statements, the last asked first
  ColumnChoices columns{};
  ColumnWidths widths{};
  std::vector<std::string> tabs{};  // texts of places, files with their whole path
  size_t tab = 0;                   // of these the one that was shown
  int width = 0, height = 0;        // of the window at a scale of 1; 0: as it comes
  bool maximized = false;

  void Remember(const std::string& file);
  void RememberQuery(const std::string& sql);
  // An empty choice is none; widths go with it.
  void Choose(const std::string& table, std::vector<std::string> shown);
  bool operator==(const Settings&) const = default;
};

// Notes lie beside the settings; empty where these are kept nowhere.
std::string NotesPath(const std::string& settings_path);
// $XDG_CONFIG_HOME/cairn/desktop.json, or below ~/.config; empty without a home.
std::string SettingsPath();
// What is missing or makes no sense is as by default.
Settings LoadSettings(const std::string& path);
// Under a temporary name of this process first, so that of two windows the last one wins as a whole. What cannot be
// written is forgotten: settings are no one's data.
void SaveSettings(const Settings& settings, const std::string& path);

}  // namespace cairn::ui
