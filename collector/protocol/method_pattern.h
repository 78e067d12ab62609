#pragma once
// Patterns of methods: "Shop.Order*.Save*" is matched against "Namespace.Type+Nested.Method", without type parameters.
// "*" stands for any text, "?" for one character. Both sides judge them by this. Pure.

#include <cstddef>
#include <string_view>

namespace cairn::protocol {

inline constexpr size_t kLongestMethodPattern = 512;

// What is wrong with a pattern, as a sentence; null: nothing.
inline const char* FaultOfMethodPattern(std::string_view pattern) {
  if (pattern.empty()) return "The pattern is empty.";
  if (pattern.size() > kLongestMethodPattern) return "The pattern is longer than 512 bytes.";
  if (pattern.find_first_of("(),") != pattern.npos) return "A pattern names type and method only, no parameters.";
  for (const char character : pattern) {
    if (static_cast<unsigned char>(character) <= ' ') return "A pattern holds no spaces.";
  }
  const size_t dot = pattern.rfind('.');
  if (dot == pattern.npos) return "A pattern names a type and a method: Type.Method.";
  if (dot == 0 && pattern.size() > 1) return "A pattern names a type before its last dot: Type.Method, or *.Method.";
  if (dot + 1 == pattern.size()) return "A pattern names a method behind its last dot: Type.Method, or Type.*.";
  if (pattern.find_first_not_of("*?.") == pattern.npos) return "The pattern names nothing: every method would match.";
  return nullptr;
}

// Linear for patterns with one star; never worse than the product of both lengths.
inline bool MatchesMethodPattern(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0, star = pattern.npos, resumed = 0;
  const auto continues = [&](size_t at) {
    return at < name.size() && (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80;
  };
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resumed = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      const bool any = pattern[p++] == '?';
      ++n;
      while (any && continues(n)) ++n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++resumed;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace cairn::protocol
