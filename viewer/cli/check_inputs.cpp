#include "viewer/cli/check_inputs.h"

#include "viewer/presentation/quantity.h"
#include "viewer/presentation/type_pattern.h"

namespace cairn::cli {

check::Words CheckWords() {
  check::Words words;
  words.parse_size = presentation::ParseSize;
  words.parse_pattern = [](const std::string& text) {
    return presentation::TypePattern::Parse(text).map([&](presentation::TypePattern pattern) {
      return check::TypeSelector{
          text, [pattern = std::move(pattern)](std::span<const std::string> names) { return pattern.Select(names); }};
    });
  };
  return words;
}

}  // namespace cairn::cli
