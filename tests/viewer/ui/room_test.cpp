// The desktop draws what presentation made: no source of it includes what computes or queries, no panel keeps anything.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace cairn::ui {
namespace {

const std::filesystem::path kRoom = std::filesystem::path(CAIRN_SOURCE_DIR) / "viewer" / "ui";

std::vector<std::filesystem::path> Sources(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> sources;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") sources.push_back(entry.path());
  return sources;
}

std::vector<std::string> LinesOf(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// The program itself (desktop/) also knows live processes and with which options sessions are opened.
bool MayInclude(const std::filesystem::path& source, const std::string& header) {
  std::vector<std::string> rooms = {"viewer/ui/", "viewer/presentation/", "snapshot-format/file/result.h"};
  if (source.parent_path().filename() == "desktop")
    rooms.insert(rooms.end(),
                 {"collector/client/", "viewer/cli/cache_settings.h", "viewer/session/snapshot_session.h"});
  for (const std::string& room : rooms)
    if (header.starts_with(room)) return true;
  return false;
}

TEST(Room, IncludesNothingThatComputes) {
  const std::regex include("#include \"([^\"]+)\".*");
  size_t includes = 0;
  for (const auto& source : Sources(kRoom))
    for (const std::string& line : LinesOf(source)) {
      std::smatch found;
      if (!std::regex_match(line, found, include)) continue;
      ++includes;
      EXPECT_TRUE(MayInclude(source, found[1])) << source << ": " << line;
    }
  EXPECT_GT(includes, 100u);
}

// A member would be kept for all tabs at once; what is chosen belongs to the visit of a place.
TEST(Room, PanelsKeepNothing) {
  const std::regex kept("^ +static (?!const|void|bool|float|std::string ).*;.*|^  [A-Za-z:<>]+ [a-z_]+_( = .*)?;.*");
  const auto panels = Sources(kRoom / "panels");
  EXPECT_GT(panels.size(), 10u);
  for (const auto& source : panels)
    for (const std::string& line : LinesOf(source))
      EXPECT_FALSE(std::regex_match(line, kept)) << source << ": " << line;
}

}  // namespace
}  // namespace cairn::ui
