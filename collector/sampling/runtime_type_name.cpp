#include "collector/sampling/runtime_type_name.h"

#include <vector>

#include "collector/types/type_name_text.h"

namespace cairn::collector {

namespace {

constexpr unsigned kMostNesting = 32;

// One type and what follows it, by descent.
class NameReader {
 public:
  explicit NameReader(std::string_view text) : text_(text) {}

  std::string Type(unsigned depth) {
    if (depth > kMostNesting) return Fail();
    const std::vector<std::string_view> chain = Chain();
    std::vector<std::string> arguments;
    if (IsAt('[') && !IsArraySuffix()) arguments = Arguments(depth);
    const std::vector<std::string_view> views(arguments.begin(), arguments.end());
    std::string name = ComposeTypeName(chain, views);
    // Inner dimensions come first, as in our own form.
    while (IsAt('[') && IsArraySuffix()) name += Take(text_.find(']', at_) + 1 - at_);
    while (IsAt('*') || IsAt('&')) name += Take(1);
    return name;
  }
  bool IsDone() const { return !failed_ && at_ == text_.size(); }

 private:
  bool IsAt(char c) const { return at_ < text_.size() && text_[at_] == c; }
  std::string_view Take(size_t size) {
    const std::string_view taken = text_.substr(at_, size);
    at_ += taken.size();
    return taken;
  }
  std::string Fail() {
    failed_ = true;
    at_ = text_.size();
    return {};
  }

  // Names of the type and of those around it, outermost first.
  std::vector<std::string_view> Chain() {
    std::vector<std::string_view> chain;
    do {
      if (!chain.empty()) ++at_;
      size_t end = at_;
      // Compiler-generated names hold what means something elsewhere: "<>c__DisplayClass3_0".
      while (end < text_.size() && std::string_view("[],+*&").find(text_[end]) == std::string_view::npos) ++end;
      chain.push_back(Take(end - at_));
    } while (IsAt('+'));
    if (chain.back().empty()) Fail();
    return chain;
  }

  // "[]", "[,]", "[*]": brackets around nothing but these.
  bool IsArraySuffix() const {
    const size_t end = text_.find_first_not_of(",*", at_ + 1);
    return end != std::string_view::npos && text_[end] == ']';
  }

  std::vector<std::string> Arguments(unsigned depth) {
    std::vector<std::string> arguments;
    do {
      ++at_;
      arguments.push_back(Type(depth + 1));
    } while (IsAt(','));
    if (IsAt(']'))
      ++at_;
    else
      Fail();
    return arguments;
  }

  std::string_view text_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

std::string FromRuntimeTypeName(std::string_view name) {
  NameReader reader(name);
  std::string read = reader.Type(0);
  return reader.IsDone() ? read : std::string(name);
}

}  // namespace cairn::collector
