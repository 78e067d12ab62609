#include "viewer/cli/id_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "viewer/cli/event_output.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

const char* KindName(protocol::IdKind kind) {
  const auto index = static_cast<uint8_t>(kind);
  return index < protocol::kIdKinds ? protocol::kIdKindNames[index] : "unknown";
}

// Fields of an explicit layout may lie at the same place: the second is "field_8_2".
std::string FreeKey(const presentation::Json& detail, const std::string& key) {
  std::string free = key;
  for (int n = 2; detail.contains(free); ++n) free = fmt::format("{}_{}", key, n);
  return free;
}

}  // namespace

std::string IdLine(const protocol::IdRow& row) {
  const std::string id = row.id == 0 ? "-" : fmt::format("{:#014x}", row.id);
  std::string line = fmt::format("{:<8}  {:<14}  {}", KindName(row.kind), id, presentation::VisibleText(row.name));
  if (!row.path.empty() && row.path != row.name) line += "  [" + presentation::VisibleText(row.path) + "]";
  for (const protocol::EventValue& value : row.values)
    if (IsWorthALine(value)) line += fmt::format("  {}={}", value.key, ValueText(value));
  return line + "\n";
}

presentation::Json IdJson(const protocol::IdRow& row) {
  presentation::Json detail = presentation::Json::object();
  for (const protocol::EventValue& value : row.values) detail[FreeKey(detail, value.key)] = ValueJson(value);
  return {{"kind", KindName(row.kind)},
          {"id", row.id == 0 ? presentation::Json(nullptr) : presentation::Json(fmt::format("0x{:x}", row.id))},
          {"name", row.name.empty() ? presentation::Json(nullptr) : presentation::Json(row.name)},
          {"path", row.path.empty() ? presentation::Json(nullptr) : presentation::Json(row.path)},
          {"detail", detail}};
}

Result<uint32_t> ParseIdKinds(const std::string& text) {
  if (text.empty()) return (1u << protocol::kIdKinds) - 1;
  uint32_t kinds = 0;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto* begin = std::begin(protocol::kIdKindNames);
    const auto* found = std::find(begin, std::end(protocol::kIdKindNames), word);
    if (found == std::end(protocol::kIdKindNames))
      return Fail(ErrorKind::kUsage, "usage.bad_value", fmt::format("--kind does not know '{}'", word),
                  "Known are domain, assembly, module, class, function and thread.");
    kinds |= 1u << (found - begin);
  }
  return kinds;
}

Result<uint64_t> ParseId(const std::string& text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const char* begin = text.data() + (hex ? 2 : 0);
  const char* end = text.data() + text.size();
  uint64_t id = 0;
  const auto [at, error] = std::from_chars(begin, end, id, hex ? 16 : 10);
  if (error == std::errc() && at == end && id != 0) return id;
  return Fail(ErrorKind::kUsage, "usage.bad_value", fmt::format("'{}' is not an ID", text),
              "IDs are numbers such as 0x7f1234567890; cairn ids PID lists them.");
}

}  // namespace cairn::cli
