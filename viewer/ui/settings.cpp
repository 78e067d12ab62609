#include "viewer/ui/settings.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace cairn::ui {
namespace {

using nlohmann::json;

constexpr size_t kMostRecent = 12, kMostQueries = 50, kMostColumns = 200, kMostTables = 500, kMostTabs = 50;
constexpr std::uintmax_t kMostBytes = 4 << 20;  // a file beyond is not ours
constexpr float kLeastWidth = 0.01f, kMostWidth = 5000;
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
    if (columns.is_array() && !columns.empty() && choices.size() < kMostTables)
      choices[table] = Texts(columns, kMostColumns);
  return choices;
}

ColumnWidths Widths(const json& tables) {
  ColumnWidths widths;
  for (const auto& [table, columns] : tables.items()) {
    if (!columns.is_object() || widths.size() == kMostTables) continue;
    for (const auto& [column, width] : columns.items())
      if (width.is_number() && widths[table].size() < kMostColumns)
        widths[table][column] = std::clamp(width.get<float>(), kLeastWidth, kMostWidth);
  }
  return widths;
}

// Nothing where the file is not there, too large or no JSON object.
json Parsed(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || size > kMostBytes) return {};
  std::ifstream file(path);
  return json::parse(file, nullptr, false);
}

// A link stays one: what it points to is replaced.
std::string Resolved(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

}  // namespace

void Settings::Remember(const std::string& file) {
  std::error_code error;
  const std::string full = std::filesystem::absolute(file, error).string();
  PutFirst(recent, error ? file : full, kMostRecent);
}

void Settings::RememberQuery(const std::string& sql) { PutFirst(queries, sql, kMostQueries); }

void Settings::Choose(const std::string& table, std::vector<std::string> shown) {
  if (!shown.empty()) {
    columns[table] = std::move(shown);
    return;
  }
  columns.erase(table);
  widths.erase(table);
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
  const json document = Parsed(path);
  if (!document.is_object()) return settings;
  if (const auto dark = document.find("dark"); dark != document.end() && dark->is_boolean()) settings.dark = *dark;
  if (const auto zoom = document.find("zoom"); zoom != document.end() && zoom->is_number())
    settings.zoom = std::clamp(zoom->get<float>(), kLeastZoom, kMostZoom);
  if (const json* recent = Find(document, "recent", json::value_t::array))
    settings.recent = Texts(*recent, kMostRecent);
  if (const json* queries = Find(document, "queries", json::value_t::array))
    settings.queries = Texts(*queries, kMostQueries);
  if (const json* columns = Find(document, "columns", json::value_t::object)) settings.columns = Choices(*columns);
  if (const json* widths = Find(document, "widths", json::value_t::object)) settings.widths = Widths(*widths);
  if (const json* tabs = Find(document, "tabs", json::value_t::array)) settings.tabs = Texts(*tabs, kMostTabs);
  if (const json* tab = Find(document, "tab", json::value_t::number_unsigned))
    settings.tab = static_cast<size_t>(std::min<uint64_t>(tab->get<uint64_t>(), kMostTabs));
  settings.width = Side(document, "width");
  settings.height = Side(document, "height");
  if (const json* maximized = Find(document, "maximized", json::value_t::boolean)) settings.maximized = *maximized;
  return settings;
}

void SaveSettings(const Settings& settings, const std::string& path) {
  if (path.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const json document = {{"dark", settings.dark},          {"zoom", settings.zoom},
                         {"recent", settings.recent},      {"queries", settings.queries},
                         {"columns", settings.columns},    {"widths", settings.widths},
                         {"tabs", settings.tabs},          {"tab", settings.tab},
                         {"width", settings.width},        {"height", settings.height},
                         {"maximized", settings.maximized}};
  const std::string target = Resolved(path), temporary = target + "." + std::to_string(getpid()) + ".new";
  std::ofstream file(temporary);
  file << document.dump(2, ' ', false, json::error_handler_t::replace) << "\n";
  file.close();
  if (file) std::filesystem::rename(temporary, target, error);
  if (!file || error) std::filesystem::remove(temporary, error);
}

}  // namespace cairn::ui
