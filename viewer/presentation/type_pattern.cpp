#include "viewer/presentation/type_pattern.h"

#include <fmt/format.h>
#include <regex.h>

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

// POSIX has no \d and \D; everybody types them.
std::string WithDigitClasses(std::string_view expression) {
  std::string out;
  for (size_t i = 0; i < expression.size(); ++i) {
    if (expression[i] != '\\' || i + 1 == expression.size()) {
      out += expression[i];
      continue;
    }
    const char escaped = expression[++i];
    if (escaped == 'd')
      out += "[0-9]";
    else if (escaped == 'D')
      out += "[^0-9]";
    else
      out += {'\\', escaped};
  }
  return out;
}

constexpr size_t kMaxExpression = 1000;
constexpr size_t kMaxGroups = 50;
constexpr size_t kMaxCounts = 3;  // of {m,n}
constexpr size_t kMaxCountDigits = 2;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// What makes the matcher take exponential time, or the compiler unbounded memory or stack. Empty: neither.
std::string_view Costly(std::string_view expression) {
  if (expression.size() > kMaxExpression) return "it is longer than 1,000 characters";
  size_t groups = 0, counts = 0, digits = 0;
  bool in_count = false;
  for (size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '\\' && i + 1 < expression.size() && IsDigit(expression[++i])) return "it refers back to a group";
    groups += c == '(';
    counts += c == '{';
    in_count = c == '{' || (in_count && c != '}');
    digits = in_count && IsDigit(c) ? digits + 1 : 0;
    if (digits > kMaxCountDigits) return "it repeats something more than 99 times";
  }
  if (groups > kMaxGroups) return "it has more than 50 groups";
  return counts > kMaxCounts ? "it has more than three counted repetitions" : "";
}

std::string RegexError(int code, const regex_t& regex) {
  char text[256];
  regerror(code, &regex, text, sizeof text);
  return text;
}

}  // namespace

// glibc's matcher keeps no stack frame per letter, so that a hostile name of a megabyte is no danger;
// std::regex does.
struct TypePattern::Regex {
  regex_t compiled{};
  bool valid = false;
  ~Regex() {
    if (valid) regfree(&compiled);
  }
};

Result<TypePattern> TypePattern::Parse(const std::string& text) {
  if (text.empty() || text == "//")
    return Fail(ErrorKind::kUsage, "usage.empty_pattern", "the type pattern is empty",
                "Leave it out to mean every type.");
  TypePattern pattern;
  pattern.text_ = text;
  pattern.folded_ = Folded(text);
  if (text.size() > 2 && text.front() == '/' && text.back() == '/') {
    const std::string_view given = std::string_view(text).substr(1, text.size() - 2);
    if (const std::string_view reason = Costly(given); !reason.empty())
      return Fail(ErrorKind::kUsage, "usage.costly_pattern",
                  fmt::format("the expression could take for ever: {}", reason),
                  "Write a simpler one; names can also be filtered from --csv.");
    auto regex = std::make_shared<Regex>();
    const std::string expression = WithDigitClasses(given);
    if (const int code = regcomp(&regex->compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB); code != 0)
      return Fail(ErrorKind::kUsage, "usage.bad_pattern",
                  fmt::format("{} is not a regular expression: {}", text, RegexError(code, regex->compiled)),
                  "It takes POSIX extended syntax; quote it for the shell.");
    regex->valid = true;
    pattern.regex_ = std::move(regex);
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
      return regexec(&regex_->compiled, name.c_str(), 0, nullptr, 0) == 0;
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
