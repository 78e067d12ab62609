#include "viewer/ui/settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace cairn::ui {
namespace {

using nlohmann::json;

constexpr size_t kMostRecent = 12;
constexpr float kLeastZoom = 0.5f, kMostZoom = 3;

std::vector<std::string> Texts(const json& list) {
  std::vector<std::string> texts;
  for (const json& entry : list)
    if (entry.is_string() && texts.size() < kMostRecent) texts.push_back(entry.get<std::string>());
  return texts;
}

}  // namespace

void Settings::Remember(const std::string& file) {
  std::error_code error;
  const std::string full = std::filesystem::absolute(file, error).string();
  std::erase(recent, error ? file : full);
  recent.insert(recent.begin(), error ? file : full);
  recent.resize(std::min(recent.size(), kMostRecent));
}

std::string SettingsPath() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config && *config) return std::string(config) + "/cairn/desktop.json";
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.config/cairn/desktop.json" : "";
}

Settings LoadSettings(const std::string& path) {
  Settings settings;
  std::ifstream file(path);
  const json document = json::parse(file, nullptr, false);
  if (!document.is_object()) return settings;
  if (const auto dark = document.find("dark"); dark != document.end() && dark->is_boolean()) settings.dark = *dark;
  if (const auto zoom = document.find("zoom"); zoom != document.end() && zoom->is_number())
    settings.zoom = std::clamp(zoom->get<float>(), kLeastZoom, kMostZoom);
  if (const auto recent = document.find("recent"); recent != document.end() && recent->is_array())
    settings.recent = Texts(*recent);
  return settings;
}

void SaveSettings(const Settings& settings, const std::string& path) {
  if (path.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const json document = {{"dark", settings.dark}, {"zoom", settings.zoom}, {"recent", settings.recent}};
  const std::string temporary = path + ".new";
  {
    std::ofstream file(temporary);
    file << document.dump(2, ' ', false, json::error_handler_t::replace) << "\n";
    if (!file.flush()) return;
  }
  std::filesystem::rename(temporary, path, error);
}

}  // namespace cairn::ui
