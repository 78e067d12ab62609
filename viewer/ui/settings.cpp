#include "viewer/ui/settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace cairn::ui {
namespace {

using nlohmann::json;

constexpr size_t kMostRecent = 12, kMostQueries = 50, kMostColumns = 200;
constexpr int kLeastSide = 200, kMostSide = 16'384;
constexpr float kLeastZoom = 0.5f, kMostZoom = 3;

std::vector<std::string> Texts(const json& list, size_t most) {
  std::vector<std::string> texts;
  for (const json& entry : list)
    if (entry.is_string() && texts.size() < most) texts.push_back(entry.get<std::string>());
  return texts;
}

void PutFirst(std::vector<std::string>& texts, std::string text, size_t most) {
  std::erase(texts, text);
  texts.insert(texts.begin(), std::move(text));
  texts.resize(std::min(texts.size(), most));
}

// The value of a name where it is of this kind.
const json* Find(const json& document, const char* name, json::value_t kind) {
  const auto at = document.find(name);
  return at != document.end() && at->type() == kind ? &*at : nullptr;
}

// 0 where there is none: as it comes.
int Side(const json& document, const char* name) {
  const json* found = Find(document, name, json::value_t::number_unsigned);
  const uint64_t side = found ? found->get<uint64_t>() : 0;
  return side == 0 ? 0 : static_cast<int>(std::clamp<uint64_t>(side, kLeastSide, kMostSide));
}

ColumnChoices Choices(const json& tables) {
  ColumnChoices choices;
  for (const auto& [table, columns] : tables.items())
    if (columns.is_array() && !columns.empty()) choices[table] = Texts(columns, kMostColumns);
  return choices;
}

}  // namespace

void Settings::Remember(const std::string& file) {
  std::error_code error;
  const std::string full = std::filesystem::absolute(file, error).string();
  PutFirst(recent, error ? file : full, kMostRecent);
}

void Settings::RememberQuery(const std::string& sql) { PutFirst(queries, sql, kMostQueries); }

void Settings::Choose(const std::string& table, std::vector<std::string> shown) {
  if (shown.empty())
    columns.erase(table);
  else
    columns[table] = std::move(shown);
}

std::string NotesPath(const std::string& settings_path) {
  if (settings_path.empty()) return {};
  return std::filesystem::path(settings_path).replace_filename("notes.json").string();
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
  if (const json* recent = Find(document, "recent", json::value_t::array))
    settings.recent = Texts(*recent, kMostRecent);
  if (const json* queries = Find(document, "queries", json::value_t::array))
    settings.queries = Texts(*queries, kMostQueries);
  if (const json* columns = Find(document, "columns", json::value_t::object)) settings.columns = Choices(*columns);
  settings.width = Side(document, "width");
  settings.height = Side(document, "height");
  if (const json* maximized = Find(document, "maximized", json::value_t::boolean)) settings.maximized = *maximized;
  return settings;
}

void SaveSettings(const Settings& settings, const std::string& path) {
  if (path.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const json document = {{"dark", settings.dark},       {"zoom", settings.zoom},          {"recent", settings.recent},
                         {"queries", settings.queries}, {"columns", settings.columns},    {"width", settings.width},
                         {"height", settings.height},   {"maximized", settings.maximized}};
  const std::string temporary = path + ".new";
  {
    std::ofstream file(temporary);
    file << document.dump(2, ' ', false, json::error_handler_t::replace) << "\n";
    if (!file.flush()) return;
  }
  std::filesystem::rename(temporary, path, error);
}

}  // namespace cairn::ui
