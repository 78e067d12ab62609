#pragma once
// What is remembered between two starts, in a small JSON file of the user's.
// Thread rule: a plain value; Load and Save touch the file.

#include <map>
#include <string>
#include <vector>

namespace cairn::ui {

// The columns of a table that somebody wants to see, in their order, by the table's name: "types/table0".
using ColumnChoices = std::map<std::string, std::vector<std::string>>;

struct Settings {
  bool dark = true;
  float zoom = 1;
  std::vector<std::string> recent;     // files, the last opened first
  std::vector<std::string> queries{};  // statements, the last asked first
  ColumnChoices columns{};
  int width = 0, height = 0;  // of the window; 0: as it comes
  bool maximized = false;

  void Remember(const std::string& file);
  void RememberQuery(const std::string& sql);
  // An empty choice is none.
  void Choose(const std::string& table, std::vector<std::string> shown);
  bool operator==(const Settings&) const = default;
};

// Notes lie beside the settings; empty where these are kept nowhere.
std::string NotesPath(const std::string& settings_path);
// $XDG_CONFIG_HOME/cairn/desktop.json, or below ~/.config; empty without a home.
std::string SettingsPath();
// What is missing or makes no sense is as by default.
Settings LoadSettings(const std::string& path);
// Under a temporary name first. What cannot be written is forgotten: settings are no one's data.
void SaveSettings(const Settings& settings, const std::string& path);

}  // namespace cairn::ui
