#include "collector/runtime/contract_text.h"

#include <charconv>

namespace cairn::collector {
namespace {

constexpr unsigned kMaxDepth = 16;

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // Moves to the value of `key` in the object that begins here.
  bool Enter(std::string_view key);
  std::optional<uint32_t> Number();
  bool Take(char c);
  bool String(std::string_view* value);

 private:
  void SkipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
      ++at_;
    }
  }
  bool SkipValue(unsigned depth);
  bool SkipContainer(char end, unsigned depth);

  std::string_view text_;
  size_t at_ = 0;
};

bool Scanner::Take(char c) {
  SkipSpace();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool Scanner::String(std::string_view* value) {
  if (!Take('"')) return false;
  const size_t begin = at_;
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\\') {
      ++at_;
    } else if (text_[at_] == '"') {
      *value = text_.substr(begin, at_++ - begin);
      return true;
    }
  }
  return false;
}

bool Scanner::SkipContainer(char end, unsigned depth) {
  if (depth > kMaxDepth) return false;
  if (Take(end)) return true;
  do {
    std::string_view key;
    if (end == '}' && (!String(&key) || !Take(':'))) return false;
    if (!SkipValue(depth + 1)) return false;
  } while (Take(','));
  return Take(end);
}

bool Scanner::SkipValue(unsigned depth) {
  std::string_view ignored;
  SkipSpace();
  if (at_ >= text_.size()) return false;
  if (text_[at_] == '"') return String(&ignored);
  if (Take('{')) return SkipContainer('}', depth);
  if (Take('[')) return SkipContainer(']', depth);
  const size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '}' && text_[at_] != ']') ++at_;
  return at_ > begin;
}

bool Scanner::Enter(std::string_view key) {
  if (!Take('{')) return false;
  do {
    std::string_view name;
    if (!String(&name) || !Take(':')) return false;
    if (name == key) return true;
    if (!SkipValue(0)) return false;
  } while (Take(','));
  return false;
}

// An offset, or [offset, "type"].
std::optional<uint32_t> Scanner::Number() {
  constexpr uint64_t kMax = 0xFFFFFFFF;
  Take('[');
  SkipSpace();
  uint64_t value = 0;
  const size_t begin = at_;
  for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
    value = value * 10 + static_cast<uint64_t>(text_[at_] - '0');
    if (value > kMax) return std::nullopt;
  }
  if (at_ == begin) return std::nullopt;
  return static_cast<uint32_t>(value);
}

}  // namespace

std::optional<uint32_t> ContractText::Offset(std::string_view type, std::string_view field) const {
  Scanner scanner(json_);
  if (!scanner.Enter("types") || !scanner.Enter(type) || !scanner.Enter(field)) return std::nullopt;
  return scanner.Number();
}

bool ContractText::Offsets(std::initializer_list<Wanted> wanted) const {
  for (const Wanted& want : wanted) {
    const auto offset = Offset(want.type, want.field);
    if (!offset) return false;
    *want.offset = *offset;
  }
  return true;
}

std::optional<uint32_t> ContractText::PointerIndex(std::string_view global) const {
  Scanner scanner(json_);
  if (!scanner.Enter("globals") || !scanner.Enter(global) || !scanner.Take('[') || !scanner.Take('[')) {
    return std::nullopt;
  }
  return scanner.Number();
}

std::optional<uint64_t> ContractText::Value(std::string_view global) const {
  Scanner scanner(json_);
  std::string_view text;
  if (!scanner.Enter("globals") || !scanner.Enter(global) || !scanner.Take('[') || !scanner.String(&text)) {
    return std::nullopt;
  }
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace cairn::collector
