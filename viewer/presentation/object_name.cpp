#include "viewer/presentation/object_name.h"

#include <fmt/format.h>

#include <charconv>

#include "viewer/presentation/quantity.h"

namespace cairn::presentation {
namespace {

bool ParseWhole(std::string_view text, int base, uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<ObjectName> ParseObjectName(std::string_view text) {
  ObjectName name;
  const bool is_address = text.starts_with("0x") || text.starts_with("0X");
  name.kind = is_address ? ObjectName::Kind::kAddress : ObjectName::Kind::kIndex;
  const size_t prefix = is_address ? 2 : text.starts_with('@') ? 1 : 0;
  if (!ParseWhole(text.substr(prefix), is_address ? 16 : 10, name.value))
    return Fail(ErrorKind::kUsage, "usage.bad_object", fmt::format("'{}' names no object", text),
                "Write an object as @12, 12 or 0x7f12a0001000.");
  return name;
}

std::string ToString(const ObjectName& name) {
  return name.kind == ObjectName::Kind::kAddress ? HexAddress(name.value) : fmt::format("@{}", name.value);
}

}  // namespace cairn::presentation
