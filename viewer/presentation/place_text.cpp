// The text of a place: "VIEW?name=value&…", values percent-encoded where they would be taken for something else.

#include <fmt/format.h>

#include <charconv>

#include "snapshot-format/file/model.h"
#include "viewer/presentation/nearest_word.h"
#include "viewer/presentation/object_name.h"
#include "viewer/presentation/place.h"

namespace cairn::presentation {
namespace {

tl::unexpected<Error> BadPlace(std::string message, std::string hint = {}) {
  return Fail(ErrorKind::kUsage, "usage.bad_place", std::move(message), std::move(hint));
}

bool IsPlain(unsigned char c) {
  constexpr std::string_view kAlsoPlain = "-._~/:,<>@*()[]+";
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kAlsoPlain.find(static_cast<char>(c)) != std::string_view::npos;
}

std::string Encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    if (IsPlain(static_cast<unsigned char>(c)))
      encoded += c;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

Result<std::string> Decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    unsigned value = 0;
    const char* first = text.data() + i + 1;
    const char* last = text.data() + std::min(text.size(), i + 3);
    const auto read = std::from_chars(first, last, value, 16);
    if (last - first != 2 || read.ec != std::errc() || read.ptr != last)
      return BadPlace(fmt::format("'{}' holds a % that is not followed by two hex digits", text),
                      "A percent sign itself is written %25.");
    decoded += static_cast<char>(value);
    i += 2;
  }
  return decoded;
}

std::string SortText(const std::vector<SortKey>& keys) {
  std::string text;
  for (const SortKey& key : keys) text += (text.empty() ? "" : ",") + key.column + (key.ascending ? ":up" : "");
  return text;
}

Result<std::vector<SortKey>> ParseSort(const std::string& text) {
  std::vector<SortKey> keys;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    std::string column = text.substr(at, end - at);
    const bool up = column.ends_with(":up");
    if (up) column.resize(column.size() - 3);
    if (column.empty())
      return BadPlace(fmt::format("sort={} names no column", text), "sort=bytes or sort=type:up,bytes");
    keys.push_back({std::move(column), up});
    at = end + 1;
  }
  return keys;
}

Result<View> ParseView(std::string_view word) {
  std::vector<std::string> known;
  for (const ViewInfo& info : Views()) {
    if (word == info.word) return info.view;
    known.emplace_back(info.word);
  }
  const auto nearest = NearestWord(word, known);
  return BadPlace(fmt::format("there is no view '{}'", word),
                  nearest ? fmt::format("Did you mean {}?", *nearest) : "For instance overview, types or suspects.");
}

bool IsGeneration(const std::string& word) {
  for (unsigned i = 0; i < snapshot::kGenerationCount; ++i)
    if (word == snapshot::GenerationName(static_cast<snapshot::Generation>(i))) return true;
  return false;
}

bool IsRootKind(const std::string& word) {
  for (unsigned i = 0; i < stream::kRootKindCount; ++i)
    if (word == snapshot::RootKindName(static_cast<snapshot::RootKind>(i))) return true;
  return false;
}

// Types are what a timeline stacks by itself.
bool IsGrouping(const std::string& word) { return word == "namespace"; }

// One name=value of a place.
class PlaceFiller {
 public:
  explicit PlaceFiller(Place& place) : place_(place), info_(InfoOf(place.view)) {}

  Status Set(std::string_view name, std::string value) {
    if (name == "file") return Files(std::move(value));
    if (name == "filter") return Text(place_.filter, std::move(value), true, name);
    if (name == "sort") return Sort(value);
    if (name == "object") return Object(value);
    if (name == "type") return Text(place_.type, std::move(value), info_.type, name);
    if (name == "generation") return Word(place_.generation, std::move(value), info_.generation, name, IsGeneration);
    if (name == "sql") return Text(place_.sql, std::move(value), info_.sql, name);
    if (name == "by") return Word(place_.by, std::move(value), info_.by, name, IsGrouping);
    if (name == "kind") return Word(place_.kind, std::move(value), info_.kind, name, IsRootKind);
    if (name == "path") return Text(place_.path, std::move(value), info_.view == View::kObjects, name);
    if (name == "unreachable" && value == "yes" && info_.generation) {
      place_.unreachable = true;
      return {};
    }
    return NotTaken(name);
  }

 private:
  tl::unexpected<Error> NotTaken(std::string_view name) const {
    return BadPlace(fmt::format("the view {} takes no {}", info_.word, name));
  }

  Status Files(std::string value) {
    if (place_.files.size() >= info_.most_files) return NotTaken("(further) file");
    place_.files.push_back(std::move(value));
    return {};
  }

  Status Text(std::string& target, std::string value, bool taken, std::string_view name) const {
    if (!taken) return NotTaken(name);
    target = std::move(value);
    return {};
  }

  Status Word(std::string& target, std::string value, bool taken, std::string_view name,
              bool (*is_known)(const std::string&)) const {
    if (!taken) return NotTaken(name);
    if (!is_known(value)) return BadPlace(fmt::format("there is no {} '{}'", name, value));
    target = std::move(value);
    return {};
  }

  Status Sort(const std::string& value) {
    auto keys = ParseSort(value);
    if (!keys) return tl::make_unexpected(std::move(keys).error());
    place_.sort = std::move(*keys);
    return {};
  }

  // An index: an address is one only within a file, which is not open yet.
  Status Object(const std::string& value) {
    if (!info_.object) return NotTaken("object");
    const auto name = ParseObjectName(value);
    if (!name) return tl::make_unexpected(name.error());
    if (name->kind != ObjectName::Kind::kIndex)
      return BadPlace("a place names an object by its index", "cairn objects FILE 0xADDRESS gives its index.");
    place_.object = name->value;
    return {};
  }

  Place& place_;
  const ViewInfo& info_;
};

Status TakeFiles(Place& place, std::span<const std::string> files) {
  const ViewInfo& info = InfoOf(place.view);
  if (place.files.empty() && info.most_files > 0) {
    const size_t most = place.view == View::kSuspects ? 1 : info.most_files;
    const size_t taken = std::min(files.size(), most);
    place.files.assign(files.end() - static_cast<long>(taken), files.end());
  }
  if (place.files.size() >= info.least_files) return {};
  return BadPlace(fmt::format("the view {} needs {}", info.word, info.least_files == 1 ? "a file" : "two files"));
}

}  // namespace

std::string ToText(const Place& place) {
  std::string text = InfoOf(place.view).word;
  const auto put = [&](const char* name, std::string_view value) {
    if (value.empty()) return;
    text += text.find('?') == std::string::npos ? '?' : '&';
    text += fmt::format("{}={}", name, Encoded(value));
  };
  if (place.object) put("object", "@" + std::to_string(*place.object));
  put("type", place.type);
  put("generation", place.generation);
  put("unreachable", place.unreachable ? "yes" : "");
  put("path", place.path);
  put("kind", place.kind);
  put("by", place.by);
  put("sql", place.sql);
  put("filter", place.filter);
  put("sort", SortText(place.sort));
  for (const std::string& file : place.files) put("file", file);
  return text;
}

Result<Place> ParsePlace(std::string_view text, std::span<const std::string> files) {
  const size_t question = std::min(text.find('?'), text.size());
  const auto view = ParseView(text.substr(0, question));
  if (!view) return tl::make_unexpected(view.error());
  Place place{.view = *view};
  PlaceFiller filler(place);
  for (size_t at = question + 1; at < text.size();) {
    const size_t end = std::min(text.find('&', at), text.size());
    const std::string_view pair = text.substr(at, end - at);
    const size_t equals = std::min(pair.find('='), pair.size());
    auto value = Decoded(pair.substr(std::min(equals + 1, pair.size())));
    if (!value) return tl::make_unexpected(std::move(value).error());
    CAIRN_TRY(filler.Set(pair.substr(0, equals), std::move(*value)));
    at = end + 1;
  }
  CAIRN_TRY(TakeFiles(place, files));
  if (place.view == View::kObject && !place.object) return BadPlace("the view object needs one", "object?object=@12");
  return place;
}

}  // namespace cairn::presentation
