#include "viewer/presentation/series_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

namespace cairn::presentation {
namespace {

constexpr std::string_view kEnding = ".cairn";

// Takes '_' and some digits off the end; `digits` 0 stands for any number of them.
bool TakeNumber(std::string_view& text, size_t digits) {
  size_t count = 0;
  while (count < text.size() && std::isdigit(static_cast<unsigned char>(text[text.size() - 1 - count]))) ++count;
  if (count == 0 || (digits != 0 && count != digits) || count == text.size()) return false;
  if (text[text.size() - 1 - count] != '_') return false;
  text.remove_suffix(count + 1);
  return true;
}

// "shop_42" of "shop_42_20260101_120000.cairn" and of "shop_42_20260101_120000_0007.cairn".
std::optional<std::string> SeriesName(std::string_view file) {
  if (!file.ends_with(kEnding)) return std::nullopt;
  file.remove_suffix(kEnding.size());
  std::string_view once = file, numbered = file;
  if (TakeNumber(once, 6) && TakeNumber(once, 8)) return std::string(once);
  if (TakeNumber(numbered, 0) && TakeNumber(numbered, 6) && TakeNumber(numbered, 8)) return std::string(numbered);
  return std::nullopt;
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string FileNameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::vector<std::string> SeriesOf(const std::string& path) {
  const auto series = SeriesName(FileNameOf(path));
  if (!series) return {path};
  const std::string before = path.substr(0, path.rfind('/') + 1);  // as it was written, relative or not
  std::vector<std::string> files;
  std::error_code error;
  std::filesystem::directory_iterator at(FolderOf(path), error);
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (SeriesName(name) == series) files.push_back(before + name);
  }
  if (files.empty()) return {path};
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> LaterInSeries(std::span<const std::string> files) {
  if (files.empty()) return {};
  std::vector<std::string> later;
  for (std::string& file : SeriesOf(files.back()))
    if (file > files.back()) later.push_back(std::move(file));
  return later;
}

bool SeriesFolder::HasChanged(const std::string& file) {
  std::string folder = FolderOf(file);
  struct stat status {};
  const int64_t now =
      stat(folder.c_str(), &status) == 0 ? status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec : 0;
  if (folder == folder_ && now == seen_) return false;
  folder_ = std::move(folder);
  seen_ = now;
  return true;
}

}  // namespace cairn::presentation
