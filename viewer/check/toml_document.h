#pragma once
// A TOML file as a tree in which every value knows where it stands, so that a mistake is told with line and column.
// Thread rule: plain data.

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "snapshot-format/file/result.h"

namespace cairn::check {

struct Place {
  std::string file;
  uint32_t line = 1, column = 1;

  std::string Text() const { return file + ":" + std::to_string(line) + ":" + std::to_string(column); }
  bool operator==(const Place&) const = default;
};

// Error check.bad_file that starts with the place. `kind`: kUsage for what the user wrote as a wish.
tl::unexpected<Error> Mistake(const Place& place, const std::string& what, const std::string& hint = {});

struct TomlMember;

struct TomlValue {
  using Array = std::vector<TomlValue>;
  using Table = std::vector<TomlMember>;  // in the order of the file
  // A time or a date with a time is none of them.
  using Date = std::chrono::year_month_day;
  std::variant<std::monostate, bool, int64_t, double, std::string, Date, Array, Table> value;
  Place place;

  // "a whole number", "a list": what it is, for sentences.
  const char* KindName() const;
};

struct TomlMember {
  std::string key;
  TomlValue value;
};

// The root is a table. `file` is the name in messages. Error check.bad_file: no TOML.
Result<TomlValue> ParseToml(const std::string& text, const std::string& file);

// The bytes of a small file. Errors: check.no_file (it is not there), check.unreadable, check.too_large.
Result<std::string> ReadSmallFile(const std::string& path);

}  // namespace cairn::check
