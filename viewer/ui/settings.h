#pragma once
// What is remembered between two starts, in a small JSON file of the user's.
// Thread rule: a plain value; Load and Save touch the file.

#include <string>
#include <vector>

namespace cairn::ui {

struct Settings {
  bool dark = true;
  float zoom = 1;
  std::vector<std::string> recent;  // files, the last opened first

  void Remember(const std::string& file);
  bool operator==(const Settings&) const = default;
};

// $XDG_CONFIG_HOME/cairn/desktop.json, or below ~/.config; empty without a home.
std::string SettingsPath();
// What is missing or makes no sense is as by default.
Settings LoadSettings(const std::string& path);
// Under a temporary name first. What cannot be written is forgotten: settings are no one's data.
void SaveSettings(const Settings& settings, const std::string& path);

}  // namespace cairn::ui
