#include "viewer/check/toml_document.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

// Header only and without exceptions: nothing to link, nothing to catch.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace cairn::check {
namespace {

constexpr size_t kMaxFileBytes = 16u << 20;

class Converter {
 public:
  explicit Converter(const std::string& file) : file_(file) {}

  TomlValue Convert(const toml::node& node) const {
    TomlValue value;
    value.place = PlaceOf(node.source());
    if (const auto* table = node.as_table()) {
      value.value = Members(*table);
    } else if (const auto* array = node.as_array()) {
      TomlValue::Array items;
      for (const toml::node& item : *array) items.push_back(Convert(item));
      value.value = std::move(items);
    } else {
      SetScalar(value, node);
    }
    return value;
  }

  Place PlaceOf(const toml::source_region& region) const {
    return {file_, static_cast<uint32_t>(region.begin.line), static_cast<uint32_t>(region.begin.column)};
  }

 private:
  TomlValue::Table Members(const toml::table& table) const {
    TomlValue::Table members;
    for (const auto& [key, node] : table) {
      TomlMember& member = members.emplace_back(TomlMember{std::string(key.str()), Convert(node)});
      // A table of the form [[rule]] stands where its brackets do; a value where its key does.
      if (!node.is_table() && !node.is_array_of_tables()) member.value.place = PlaceOf(key.source());
    }
    // The library sorts by key; people read from top to bottom.
    std::stable_sort(members.begin(), members.end(), [](const TomlMember& a, const TomlMember& b) {
      return std::pair(a.value.place.line, a.value.place.column) < std::pair(b.value.place.line, b.value.place.column);
    });
    return members;
  }

  static void SetScalar(TomlValue& value, const toml::node& node) {
    if (const auto* text = node.as_string()) value.value = text->get();
    if (const auto* number = node.as_integer()) value.value = number->get();
    if (const auto* number = node.as_floating_point()) value.value = number->get();
    if (const auto* flag = node.as_boolean()) value.value = flag->get();
    if (const auto* date = node.as_date())
      value.value = TomlValue::Date(std::chrono::year(date->get().year), std::chrono::month(date->get().month),
                                    std::chrono::day(date->get().day));
  }

  const std::string& file_;
};

}  // namespace

tl::unexpected<Error> Mistake(const Place& place, const std::string& what, const std::string& hint) {
  return Fail(ErrorKind::kUsage, "check.bad_file", place.Text() + ": " + what, hint);
}

const char* TomlValue::KindName() const {
  constexpr const char* kNames[] = {"a time", "a boolean", "a whole number", "a number",
                                    "a text", "a date",    "a list",         "a table"};
  return kNames[value.index()];
}

Result<TomlValue> ParseToml(const std::string& text, const std::string& file) {
  const toml::parse_result parsed = toml::parse(text, file);
  const Converter converter(file);
  if (!parsed)
    return Mistake(converter.PlaceOf(parsed.error().source()),
                   "this is no TOML: " + std::string(parsed.error().description()));
  return converter.Convert(parsed.table());
}

Result<std::string> ReadSmallFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return errno == ENOENT
               ? Fail(ErrorKind::kFailed, "check.no_file", path + " is not there")
               : Fail(ErrorKind::kFailed, "check.unreadable", path + " cannot be read: " + std::strerror(errno));
  std::string text;
  char block[65536];
  while (file.read(block, sizeof block) || file.gcount() > 0) {
    text.append(block, static_cast<size_t>(file.gcount()));
    if (text.size() > kMaxFileBytes)
      return Fail(ErrorKind::kFailed, "check.too_large", path + " is larger than 16 MiB");
  }
  if (file.bad() || !file.eof())
    return Fail(ErrorKind::kFailed, "check.unreadable", path + " cannot be read: " + std::strerror(errno));
  return text;
}

}  // namespace cairn::check
