#pragma once
// How text may be dressed: only a terminal gets colour and a width.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::presentation {

struct TextStyle {
  bool colour = false;
  size_t width = 0;  // terminal columns; 0: no limit

  std::string Bold(std::string_view text) const { return Dressed("1", text); }
  std::string Bad(std::string_view text) const { return Dressed("1;31", text); }
  std::string Good(std::string_view text) const { return Dressed("32", text); }
  std::string Faint(std::string_view text) const { return Dressed("2", text); }

 private:
  std::string Dressed(std::string_view code, std::string_view text) const {
    if (!colour) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }
};

}  // namespace cairn::presentation
