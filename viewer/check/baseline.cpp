#include "viewer/check/baseline.h"

#include "viewer/check/table_reader.h"

namespace cairn::check {
namespace {

constexpr int64_t kVersion = 1;

bool IsFingerprint(const std::string& text) {
  const size_t colon = text.find(':');
  return text.starts_with('v') && colon != std::string::npos && colon + 1 < text.size();
}

Status AddLeaks(const TomlValue& table, Baseline& baseline) {
  const auto* members = std::get_if<TomlValue::Table>(&table.value);
  if (members == nullptr) return Mistake(table.place, std::string("leaks is a table, not ") + table.KindName());
  for (const TomlMember& member : *members) {
    const auto* where = std::get_if<std::string>(&member.value.value);
    if (!IsFingerprint(member.key))
      return Mistake(member.value.place, "'" + member.key + "' is no fingerprint",
                     "Fingerprints look like v1:0123456789abcdef…; --write-baseline writes them.");
    if (where == nullptr)
      return Mistake(member.value.place,
                     std::string("a fingerprint is followed by a text, not ") + member.value.KindName());
    baseline.leaks.emplace(member.key, *where);
  }
  return {};
}

// A TOML basic string.
std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += ' ';
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace

Result<Baseline> ParseBaseline(const std::string& text, const std::string& file) {
  const auto root = ParseToml(text, file);
  if (!root) return tl::make_unexpected(root.error());
  Baseline baseline;
  bool has_version = false;
  for (const TomlMember& member : std::get<TomlValue::Table>(root->value)) {
    const auto* version = std::get_if<int64_t>(&member.value.value);
    if (member.key == "version" && version != nullptr && *version == kVersion)
      has_version = true;
    else if (member.key == "version")
      return Mistake(member.value.place, "this cairn reads baselines of version 1 only");
    else if (member.key == "leaks")
      CAIRN_TRY(AddLeaks(member.value, baseline));
    else
      return Mistake(member.value.place, "a baseline has no key '" + member.key + "'", "It takes version and leaks.");
  }
  if (!has_version) return Mistake(root->place, "this is no baseline: version = 1 is missing");
  return baseline;
}

Result<Baseline> ReadBaseline(const std::string& path) {
  const auto text = ReadSmallFile(path);
  if (!text && text.error().code == "check.no_file")
    return Fail(
        ErrorKind::kFailed, "check.no_baseline", "the baseline " + path + " is not there",
        "Write it once with --write-baseline " + path + " and keep it beside the rules, or leave --baseline out.");
  if (!text) return tl::make_unexpected(text.error());
  return ParseBaseline(*text, path);
}

std::string BaselineText(const Baseline& baseline) {
  std::string text =
      "# Leaks that cairn check lets pass, by fingerprint. Written by --write-baseline; lines may be removed.\n"
      "version = 1\n"
      "\n"
      "[leaks]\n";
  for (const auto& [fingerprint, where] : baseline.leaks) text += Quoted(fingerprint) + " = " + Quoted(where) + "\n";
  return text;
}

}  // namespace cairn::check
