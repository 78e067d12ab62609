#include "viewer/presentation/capture_order.h"

#include <algorithm>
#include <utility>

#include "snapshot-format/file/snapshot_reader.h"

namespace cairn::presentation {
namespace {

// UTC, ISO 8601: in the order of texts. Empty where it is not known.
std::string CapturedAt(const std::string& file) {
  const auto reader = snapshot::SnapshotReader::Open(file);
  return reader ? (*reader)->Summary().capture.captured_at : "";
}

}  // namespace

std::vector<std::string> InCaptureOrder(std::vector<std::string> files) {
  std::vector<std::pair<std::string, std::string>> dated;
  for (const std::string& file : files) {
    dated.emplace_back(CapturedAt(file), file);
    if (dated.back().first.empty()) return files;
  }
  std::ranges::stable_sort(dated, {}, &std::pair<std::string, std::string>::first);
  for (size_t i = 0; i < files.size(); ++i) files[i] = std::move(dated[i].second);
  return files;
}

}  // namespace cairn::presentation
