#include "viewer/check/baseline.h"

#include <algorithm>
#include <vector>

#include "viewer/check/table_reader.h"

namespace cairn::check {
namespace {

using session::HolderKind;

// Version 1 had texts where there are tables now, and one section for every rule.
constexpr int64_t kVersion = 2;
constexpr const char* kAllObjects = "leaks";

std::string SectionOfHolder(HolderKind holder) {
  return std::string(RuleKindName(RuleKind::kHeldOnlyBy)) + "_" + HolderName(holder);
}

std::vector<std::string> SectionNames() {
  std::vector<std::string> names = {kAllObjects, RuleKindName(RuleKind::kDisposed)};
  for (const auto holder : {HolderKind::kEvent, HolderKind::kTimer, HolderKind::kStaticCollection})
    names.push_back(SectionOfHolder(holder));
  return names;
}

bool IsFingerprint(const std::string& text) {
  const size_t colon = text.find(':');
  return text.starts_with('v') && colon != std::string::npos && colon + 1 < text.size();
}

Result<BaselineEntry> ReadEntry(const TomlValue& value) {
  BaselineEntry entry;
  if (const auto* where = std::get_if<std::string>(&value.value)) {
    entry.where = *where;
    return entry;
  }
  if (!std::holds_alternative<TomlValue::Table>(value.value))
    return Mistake(value.place, std::string("a fingerprint is followed by a table, not ") + value.KindName(),
                   "As in { objects = 3, retained = 96, where = \"Shop.Order: static Shop.All\" }.");
  auto reader = TableReader::Over(value, "a leak");
  if (!reader) return tl::make_unexpected(std::move(reader).error());
  std::optional<uint64_t> objects, retained;
  CAIRN_TRY(reader->Count("objects", objects));
  CAIRN_TRY(reader->Count("retained", retained));
  CAIRN_TRY(reader->Text("where", entry.where));
  CAIRN_TRY(reader->Done());
  if (!objects || !retained) return reader->Missing(objects ? "retained" : "objects", "--write-baseline writes both.");
  entry.size = KnownSize{*objects, *retained};
  return entry;
}

Status AddLeaks(const std::string& section, const TomlValue& table, Baseline& baseline) {
  const auto* members = std::get_if<TomlValue::Table>(&table.value);
  if (members == nullptr) return Mistake(table.place, section + " is a table, not " + table.KindName());
  for (const TomlMember& member : *members) {
    if (!IsFingerprint(member.key))
      return Mistake(member.value.place, "'" + member.key + "' is no fingerprint",
                     "Fingerprints look like v1:0123456789abcdef…; --write-baseline writes them.");
    auto entry = ReadEntry(member.value);
    if (!entry) return tl::make_unexpected(std::move(entry).error());
    baseline.Add(section, member.key, std::move(*entry));
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

std::string SectionOf(const Rule& rule) {
  if (rule.kind == RuleKind::kDisposed) return RuleKindName(rule.kind);
  if (rule.kind == RuleKind::kHeldOnlyBy) return SectionOfHolder(rule.holder);
  return kAllObjects;
}

void Baseline::Add(const std::string& section, const std::string& fingerprint, BaselineEntry entry) {
  sections[section].emplace(fingerprint, std::move(entry));
}

const BaselineEntry* Baseline::Find(const Rule& rule, const std::string& fingerprint) const {
  const auto in = [&](const std::string& section) -> const BaselineEntry* {
    const auto leaks = sections.find(section);
    if (leaks == sections.end()) return nullptr;
    const auto at = leaks->second.find(fingerprint);
    return at == leaks->second.end() ? nullptr : &at->second;
  };
  if (const BaselineEntry* entry = in(SectionOf(rule))) return entry;
  const BaselineEntry* of_any_rule = in(kAllObjects);
  return of_any_rule != nullptr && !of_any_rule->size ? of_any_rule : nullptr;
}

uint64_t Baseline::Count() const {
  uint64_t count = 0;
  for (const auto& [section, leaks] : sections) count += leaks.size();
  return count;
}

Result<Baseline> ParseBaseline(const std::string& text, const std::string& file) {
  const auto root = ParseToml(text, file);
  if (!root) return tl::make_unexpected(root.error());
  const auto names = SectionNames();
  Baseline baseline;
  bool has_version = false;
  for (const TomlMember& member : std::get<TomlValue::Table>(root->value)) {
    const auto* version = std::get_if<int64_t>(&member.value.value);
    if (member.key == "version" && version != nullptr && *version >= 1 && *version <= kVersion)
      has_version = true;
    else if (member.key == "version")
      return Mistake(member.value.place, "this cairn reads baselines of version 1 and 2 only");
    else if (std::find(names.begin(), names.end(), member.key) != names.end())
      CAIRN_TRY(AddLeaks(member.key, member.value, baseline));
    else
      return Mistake(member.value.place, "a baseline has no key '" + member.key + "'",
                     "It takes version, leaks, disposed, held_only_by_event …");
  }
  if (!has_version) return Mistake(root->place, "this is no baseline: version = 2 is missing");
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
      "# Leaks that cairn check lets pass unless they grow, by fingerprint. Written by --write-baseline; lines may be "
      "removed.\n"
      "version = 2\n";
  for (const auto& [section, leaks] : baseline.sections) {
    text += "\n[" + section + "]\n";
    for (const auto& [fingerprint, entry] : leaks) {
      const std::string where = Quoted(entry.where);
      text += Quoted(fingerprint) + " = ";
      text += entry.size ? "{ objects = " + std::to_string(entry.size->objects) +
                               ", retained = " + std::to_string(entry.size->retained) + ", where = " + where + " }\n"
                         : where + "\n";
    }
  }
  return text;
}

}  // namespace cairn::check
