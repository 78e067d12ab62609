#include "viewer/check/table_reader.h"

#include <algorithm>

namespace cairn::check {
namespace {

std::string Listed(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

}  // namespace

Result<TableReader> TableReader::Over(const TomlValue& value, std::string what) {
  if (!std::holds_alternative<TomlValue::Table>(value.value))
    return Mistake(value.place, what + " is a table, not " + value.KindName());
  return TableReader(value, std::move(what));
}

const TomlValue* TableReader::Find(const std::string& key) const {
  for (const TomlMember& member : std::get<TomlValue::Table>(value_->value))
    if (member.key == key) return &member.value;
  return nullptr;
}

const TomlValue* TableReader::Take(const std::string& key) {
  asked_.push_back(key);
  return Find(key);
}

tl::unexpected<Error> TableReader::Wrong(const std::string& key, const TomlValue& value,
                                         const std::string& expected) const {
  return Mistake(value.place, key + " takes " + expected + ", not " + value.KindName());
}

Status TableReader::Text(const std::string& key, std::string& target) {
  const TomlValue* value = Take(key);
  if (value == nullptr) return {};
  const auto* text = std::get_if<std::string>(&value->value);
  if (text == nullptr) return Wrong(key, *value, "a text");
  if (text->empty()) return Mistake(value->place, key + " is empty", "Leave it out to mean any.");
  target = *text;
  return {};
}

Status TableReader::Flag(const std::string& key, bool& target) {
  std::optional<bool> given;
  CAIRN_TRY(Flag(key, given));
  target = given.value_or(target);
  return {};
}

Status TableReader::Flag(const std::string& key, std::optional<bool>& target) {
  const TomlValue* value = Take(key);
  if (value == nullptr) return {};
  const auto* flag = std::get_if<bool>(&value->value);
  if (flag == nullptr) return Wrong(key, *value, "true or false");
  target = *flag;
  return {};
}

Status TableReader::Count(const std::string& key, std::optional<uint64_t>& target) {
  const TomlValue* value = Take(key);
  if (value == nullptr) return {};
  const auto* number = std::get_if<int64_t>(&value->value);
  if (number == nullptr) return Wrong(key, *value, "a whole number");
  if (*number < 0) return Mistake(value->place, key + " is less than 0");
  target = static_cast<uint64_t>(*number);
  return {};
}

Status TableReader::Size(const std::string& key, std::optional<uint64_t>& target, const Words& words) {
  const TomlValue* value = Find(key);
  const auto* text = value ? std::get_if<std::string>(&value->value) : nullptr;
  if (text == nullptr) return Count(key, target);
  Take(key);
  const auto size = words.parse_size(*text);
  if (!size) return Mistake(value->place, key + ": " + size.error().message, size.error().hint);
  target = *size;
  return {};
}

Status TableReader::Date(const std::string& key, std::optional<TomlValue::Date>& target) {
  const TomlValue* value = Take(key);
  if (value == nullptr) return {};
  const auto* date = std::get_if<TomlValue::Date>(&value->value);
  if (date == nullptr) return Wrong(key, *value, "a date without quotes, as in 2027-01-31");
  target = *date;
  return {};
}

Status TableReader::Pattern(const std::string& key, std::optional<TypeSelector>& target, const Words& words) {
  const TomlValue* value = Take(key);
  if (value == nullptr) return {};
  const auto* text = std::get_if<std::string>(&value->value);
  if (text == nullptr) return Wrong(key, *value, "a type pattern as a text");
  auto pattern = words.parse_pattern(*text);
  if (!pattern) return Mistake(value->place, key + ": " + pattern.error().message, pattern.error().hint);
  target = std::move(*pattern);
  return {};
}

Status TableReader::Choice(const std::string& key, const std::vector<std::string>& choices,
                           std::optional<size_t>& target) {
  const TomlValue* value = Take(key);
  if (value == nullptr) return {};
  const auto* text = std::get_if<std::string>(&value->value);
  if (text == nullptr) return Wrong(key, *value, Listed(choices));
  const auto at = std::find(choices.begin(), choices.end(), *text);
  if (at == choices.end()) return Mistake(value->place, key + " takes " + Listed(choices) + ", not '" + *text + "'");
  target = static_cast<size_t>(at - choices.begin());
  return {};
}

Result<std::vector<const TomlValue*>> TableReader::Tables(const std::string& key) {
  std::vector<const TomlValue*> tables;
  const TomlValue* value = Take(key);
  if (value == nullptr) return tables;
  const auto* items = std::get_if<TomlValue::Array>(&value->value);
  if (items == nullptr)
    return Mistake(value->place, key + " takes double brackets", "Write [[" + key + "]]: there may be several.");
  for (const TomlValue& item : *items) tables.push_back(&item);
  return tables;
}

Status TableReader::Done() const {
  for (const TomlMember& member : std::get<TomlValue::Table>(value_->value))
    if (std::find(asked_.begin(), asked_.end(), member.key) == asked_.end())
      return Mistake(member.value.place, what_ + " has no key '" + member.key + "'",
                     "It takes " + Listed(asked_) + ".");
  return {};
}

Place TableReader::PlaceOf(const std::string& key) const {
  const TomlValue* value = Find(key);
  return value ? value->place : value_->place;
}

tl::unexpected<Error> TableReader::Missing(const std::string& key, const std::string& hint) const {
  return Mistake(value_->place, what_ + " needs " + key, hint);
}

}  // namespace cairn::check
