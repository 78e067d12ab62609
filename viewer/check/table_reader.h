#pragma once
// Takes the keys of one TOML table one by one; what is of the wrong kind, missing or left over is told with its place.
// Thread rule: one thread. Ownership: observes the value.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "viewer/check/rules.h"

namespace cairn::check {

class TableReader {
 public:
  // `what` names the table in messages: "[[limit]]". Error: it is no table.
  static Result<TableReader> Over(const TomlValue& value, std::string what);

  // Each takes one key where it is there. Error check.bad_file: of the wrong kind, empty, negative.
  Status Text(const std::string& key, std::string& target);
  Status Flag(const std::string& key, bool& target);
  Status Flag(const std::string& key, std::optional<bool>& target);
  Status Count(const std::string& key, std::optional<uint64_t>& target);
  // A number of bytes, or a text such as "10MB".
  Status Size(const std::string& key, std::optional<uint64_t>& target, const Words& words);
  Status Date(const std::string& key, std::optional<TomlValue::Date>& target);
  Status Pattern(const std::string& key, std::optional<TypeSelector>& target, const Words& words);
  // One of a few words; the position of the one that is there.
  Status Choice(const std::string& key, const std::vector<std::string>& choices, std::optional<size_t>& target);
  // The tables of [[key]].
  Result<std::vector<const TomlValue*>> Tables(const std::string& key);

  // Error: a key that nothing took.
  Status Done() const;
  // Where `key` stands; the table where it does not.
  Place PlaceOf(const std::string& key) const;
  tl::unexpected<Error> Missing(const std::string& key, const std::string& hint) const;

 private:
  TableReader(const TomlValue& value, std::string what) : value_(&value), what_(std::move(what)) {}

  const TomlValue* Take(const std::string& key);
  const TomlValue* Find(const std::string& key) const;
  tl::unexpected<Error> Wrong(const std::string& key, const TomlValue& value, const std::string& expected) const;

  const TomlValue* value_;
  std::string what_;
  std::vector<std::string> asked_;
};

}  // namespace cairn::check
