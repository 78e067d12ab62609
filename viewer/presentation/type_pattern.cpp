#include "viewer/presentation/type_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <optional>

namespace cairn::presentation {
namespace {

// ASCII only: names in other scripts compare by their exact letters.
std::string Folded(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return folded;
}

// Linear apart from the last star, so that no pattern is slow on a long name.
bool GlobMatches(std::string_view glob, std::string_view name) {
  size_t g = 0, n = 0, star = std::string_view::npos, after_star = 0;
  while (n < name.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      after_star = n;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == name[n])) {
      ++g;
      ++n;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      n = ++after_star;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

// Both bound what one name can cost, whatever the expression: its length times the size of the compiled program.
constexpr size_t kMaxExpression = 1000;
constexpr int64_t kMaxMemory = 1 << 20;

re2::RE2::Options Quietly() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  return options;
}

// Of the first parenthesis that has no partner; where there is none, of the end.
size_t UnmatchedParenthesis(std::string_view expression) {
  std::vector<size_t> open;
  bool in_class = false;
  for (size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '\\') ++i;
    if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
      i += expression.substr(i + 1, 2) == "^]" ? 2 : expression.substr(i + 1, 1) == "]" ? 1 : 0;
    } else if (c == '(') {
      open.push_back(i);
    } else if (c == ')' && open.empty()) {
      return i;
    } else if (c == ')') {
      open.pop_back();
    }
  }
  return open.empty() ? expression.size() : open.back();
}

// Where in the expression the mistake lies; nothing where it is about all of it.
std::optional<size_t> PlaceOfMistake(std::string_view expression, const re2::RE2& regex) {
  switch (regex.error_code()) {
    case re2::RE2::ErrorMissingParen:
    case re2::RE2::ErrorUnexpectedParen:
      return UnmatchedParenthesis(expression);
    case re2::RE2::ErrorPatternTooLarge:
      return std::nullopt;
    default:
      break;
  }
  const size_t at = regex.error_arg().empty() ? std::string_view::npos : expression.find(regex.error_arg());
  return at == std::string_view::npos ? std::nullopt : std::optional(at);
}

tl::unexpected<Error> BadExpression(const std::string& text, const std::string& reason, std::optional<size_t> at = {}) {
  const std::string place = at ? fmt::format(", at character {}", *at + 2) : "";  // from 1; the slash is one
  return Fail(ErrorKind::kUsage, "usage.bad_pattern",
              fmt::format("{} is not a regular expression that can be used{}: {}", text, place, reason),
              "It takes RE2's syntax, without references back and looking around; quote it for the shell.");
}

Result<std::shared_ptr<const re2::RE2>> ParseExpression(const std::string& text) {
  const std::string expression = text.substr(1, text.size() - 2);
  if (expression.size() > kMaxExpression) return BadExpression(text, "it is longer than 1,000 characters");
  auto regex = std::make_shared<const re2::RE2>(expression, Quietly());
  if (!regex->ok()) return BadExpression(text, regex->error(), PlaceOfMistake(expression, *regex));
  return regex;
}

}  // namespace

Result<TypePattern> TypePattern::Parse(const std::string& text) {
  if (text.empty() || text == "//")
    return Fail(ErrorKind::kUsage, "usage.empty_pattern", "the type pattern is empty",
                "Leave it out to mean every type.");
  TypePattern pattern;
  pattern.text_ = text;
  pattern.folded_ = Folded(text);
  if (text.size() > 2 && text.front() == '/' && text.back() == '/') {
    auto regex = ParseExpression(text);
    if (!regex) return tl::make_unexpected(std::move(regex).error());
    pattern.regex_ = std::move(*regex);
    pattern.kind_ = Kind::kRegex;
  } else if (text.find_first_of("*?") != std::string::npos) {
    pattern.kind_ = Kind::kGlob;
  }
  return pattern;
}

bool TypePattern::Matches(const std::string& name) const {
  switch (kind_) {
    case Kind::kGlob:
      return GlobMatches(text_, name);
    case Kind::kRegex:
      return re2::RE2::PartialMatch(name, *regex_);
    case Kind::kPart:
      break;
  }
  return Folded(name).find(folded_) != std::string::npos;
}

std::vector<bool> TypePattern::Select(std::span<const std::string> names) const {
  std::vector<bool> exact(names.size()), matching(names.size());
  bool any_exact = false;
  for (size_t i = 0; i < names.size(); ++i) {
    exact[i] = names[i] == text_;
    any_exact |= exact[i];
  }
  if (any_exact) return exact;
  for (size_t i = 0; i < names.size(); ++i) matching[i] = Matches(names[i]);
  return matching;
}

std::string NamespaceOf(std::string_view type_name) {
  const std::string_view outer = type_name.substr(0, type_name.find_first_of("<+[*&("));
  const size_t dot = outer.rfind('.');
  return dot == std::string_view::npos ? std::string() : std::string(outer.substr(0, dot));
}

}  // namespace cairn::presentation
