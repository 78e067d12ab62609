#pragma once
// Which types a user means: the exact full name; else, with * or ?, a glob over the whole name; else a part of
// the name, upper and lower case alike; /…/ is a regular expression of RE2, whose matching is linear whatever is
// asked, found anywhere in the name.
// Thread rule: immutable after Parse; Select is safe from any thread.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot-format/file/result.h"

namespace re2 {
class RE2;
}

namespace cairn::presentation {

class TypePattern {
 public:
  // Errors: usage.empty_pattern, usage.bad_pattern.
  static Result<TypePattern> Parse(const std::string& text);

  const std::string& Text() const { return text_; }
  // By position in `names`. An exact name among them excludes all others.
  std::vector<bool> Select(std::span<const std::string> names) const;

 private:
  enum class Kind { kGlob, kPart, kRegex };

  TypePattern() = default;
  bool Matches(const std::string& name) const;

  std::string text_;
  std::string folded_;  // lower case, for kPart
  Kind kind_ = Kind::kPart;
  std::shared_ptr<const re2::RE2> regex_;
};

// The namespace of a type; of a generic, nested or array type the outermost element type's. Empty for none.
std::string NamespaceOf(std::string_view type_name);

}  // namespace cairn::presentation
