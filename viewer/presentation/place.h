#pragma once
// Where somebody is: a view of which file, with which object, type, filter and order. Tabs, back and forward, links,
// the command line and findings pasted into reports all speak of places.
// Thread rule: a plain value; going somewhere else makes another one.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot-format/file/result.h"

namespace cairn::presentation {

enum class View {
  kStart,
  kOverview,
  kTypes,
  kObjects,
  kObject,
  kPaths,
  kDominators,
  kTreemap,
  kRoots,
  kSuspects,
  kDiff,
  kTimeline,
  kWaste,
  kHeap,
  kContexts,
  kSql,
  kNotes,
  kAllocations,
  kFlame,
  kAllocationGraph,
};

// What a view can be narrowed by, and of how many files it is.
struct ViewInfo {
  View view{};
  const char* word;   // in the text of a place
  const char* title;  // for people
  size_t least_files, most_files;
  bool object, type, generation, kind;  // which of these it takes
  bool by = false, sql = false;         // these as well
};
std::span<const ViewInfo> Views();
const ViewInfo& InfoOf(View view);

struct SortKey {
  std::string column;  // as ColumnId says
  bool ascending = false;

  bool operator==(const SortKey&) const = default;
};

struct Place {
  View view = View::kStart;
  std::vector<std::string> files{};  // of a comparison the earlier first
  std::optional<uint64_t> object{};
  std::string type{};           // a type pattern
  std::string generation{};     // "gen2"
  bool unreachable = false;     // objects that nothing keeps alive
  std::string path{};           // of objects: the fingerprint of their shortest path
  std::string kind{};           // of roots
  std::string by{};             // what a timeline stacks: "" (types) or "namespace"
  std::string sql{};            // one SELECT
  std::string filter{};         // part of a text of each row
  std::vector<SortKey> sort{};  // the first decides; empty: the view's own order

  static Place Of(View view, std::string file) { return {.view = view, .files = {std::move(file)}}; }
  // Another view of the same file: of a comparison, of its last one where the view takes one.
  Place Of(View other) const;
  Place OfObject(uint64_t index, View other = View::kObject) const;
  Place OfType(std::string pattern, View other = View::kObjects) const;
  Place Sorted(std::vector<SortKey> keys) const;
  Place Filtered(std::string text) const;
  Place Asking(std::string statement) const;  // SQL over the same files
  // Without filter and sort: places that show the same rows.
  Place Unarranged() const;

  bool operator==(const Place&) const = default;
};

// "objects?type=Shop.Order&sort=bytes&file=shop.cairn"; "start".
std::string ToText(const Place& place);
// The reverse. A place without files is one of the last of `files`; a comparison of all of them.
// Error usage.bad_place.
Result<Place> ParsePlace(std::string_view text, std::span<const std::string> files = {});

// The command line that prints the same: "cairn objects shop.cairn --type Shop.Order --sort bytes".
std::string CommandOf(const Place& place);
// The command line that opens the desktop there: "cairn view shop.cairn --at 'objects?type=Shop.Order'".
std::string ViewCommandOf(const Place& place);
// For a POSIX shell, quoted where it must be.
std::string ShellWord(std::string_view word);

// A few words for a tab: "Types · shop.cairn".
std::string TitleOf(const Place& place);

}  // namespace cairn::presentation
