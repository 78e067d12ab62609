#include "tests/viewer/check/test_words.h"

#include <cstdlib>

namespace cairn::check::testing {
namespace {

std::vector<bool> Containing(const std::string& part, std::span<const std::string> names) {
  std::vector<bool> selected(names.size());
  for (size_t i = 0; i < names.size(); ++i) selected[i] = names[i].find(part) != std::string::npos;
  return selected;
}

}  // namespace

Words TestWords() {
  Words words;
  words.parse_size = [](std::string_view text) -> Result<uint64_t> {
    if (!text.ends_with("KB")) return Fail(ErrorKind::kUsage, "usage.bad_size", "no size");
    return std::strtoull(std::string(text).c_str(), nullptr, 10) * 1000;
  };
  words.parse_pattern = [](const std::string& text) -> Result<TypeSelector> {
    if (text == "?") return Fail(ErrorKind::kUsage, "usage.bad_pattern", "no pattern");
    return TypeSelector{text, [text](std::span<const std::string> names) { return Containing(text, names); }};
  };
  return words;
}

}  // namespace cairn::check::testing
