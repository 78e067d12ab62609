#pragma once
// What a session answers, as plain data.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/indices.h"
#include "viewer/analysis/reachability.h"

namespace cairn::session {

using analysis::ObjectIndex;
using analysis::ObjectTotals;
using analysis::TypeIndex;

enum class Grouping { kType, kNamespace, kModule, kGeneration };

// Sums over a group of objects.
struct GroupTotals {
  ObjectTotals reachable, unreachable;
  uint64_t retained = 0;  // what its members retain together, each byte once
};

// A type whose objects count in no group.
inline constexpr uint32_t kNoGroup = 0xFFFFFFFF;

struct GroupRow {
  std::string name;  // of a type its full name
  TypeIndex type;    // only when grouped by type
  ObjectTotals reachable, unreachable;
  uint64_t retained = 0;  // what its members retain together, each byte once
};

struct ObjectInfo {
  ObjectIndex object;
  uint64_t address = 0;
  TypeIndex type;
  uint64_t bytes = 0;
  snapshot::Generation generation{};
  bool reachable = false;
  uint64_t retained = 0;  // 0 when not reachable
  ObjectIndex dominator;  // none: held by several roots, or not reachable
};

// Of a primitive field, as far as it is kept; the text of a string. Nothing: not kept.
using FieldValue = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string>;

struct FieldInfo {
  std::string name;
  uint32_t offset = 0;  // from the object's start; of an element's field from the element's; 0 when implied
  std::string type;     // as declared; may be empty
  snapshot::FieldKind kind = snapshot::FieldKind::kReference;
  analysis::EdgeKind edge = analysis::EdgeKind::kSlot;
  ObjectIndex target;       // none for null and for what is no reference
  uint64_t unresolved = 0;  // a value that is no object of the snapshot
  FieldValue value;         // of what is no reference, and the text of a string that is referred to
};

struct ObjectFields {
  std::vector<FieldInfo> fields;
  uint64_t length = 0;   // components of an array or string
  uint64_t omitted = 0;  // fields left out because of the limit
};

struct ReferrerInfo {
  ObjectIndex object;
  std::string field;
};

struct ObjectReferrers {
  std::vector<ReferrerInfo> referrers;
  uint64_t total = 0;
};

struct DominatedRow {
  ObjectIndex object;
  TypeIndex type;
  uint64_t bytes = 0, retained = 0;
  uint64_t dominated = 0;  // objects, itself not included
};

struct DominatedObjects {
  std::vector<DominatedRow> children;  // by retained size
  uint64_t total = 0;
};

struct RootInfo {
  snapshot::RootKind kind{};
  const snapshot::Root* root = nullptr;  // of the summary; null for an object of the NonGC heap
  ObjectIndex object;

  std::string Name() const { return root ? root->name : std::string(); }
  // False where a conservative stack scan took something for a reference.
  bool IsCertain() const { return root == nullptr || root->certain; }
};

struct RootKindRow {
  snapshot::RootKind kind{};
  uint64_t roots = 0;
  ObjectTotals targets;  // each object once
};

struct PathStep {
  ObjectIndex object;
  uint64_t address = 0;
  TypeIndex type;
  std::string field;  // the slot of the step before, or the root's name, that leads here
  uint64_t bytes = 0;
  uint64_t retained = 0;  // 0 unless asked for
  std::string sense;      // what it is to a .NET programmer: "subscriber of Shop.Prices.Changed"; mostly empty
};

struct RootPath {
  uint64_t count = 0, bytes = 0;  // objects asked for that have this path
  RootInfo root;
  std::vector<PathStep> steps;
  uint64_t omitted = 0;        // steps left out because of max_steps …
  uint64_t omitted_after = 0;  // … after so many
};

struct PathRequest {
  std::optional<ObjectIndex> object;  // either one object …
  std::vector<bool> types;            // … or the objects of these, by TypeIndex
  uint64_t limit = 10;                // paths; of one object: the shortest, then those by its other referrers
  uint64_t max_steps = 1000;
  bool with_retained = false;  // needs dominators
};

struct RootPaths {
  std::vector<RootPath> paths;
  uint64_t total = 0;        // paths, also those left out
  uint64_t objects = 0;      // reachable objects asked for
  uint64_t unreachable = 0;  // others
};

// The objects whose shortest paths have one fingerprint.
struct PathGroup {
  static constexpr uint32_t kNoParent = 0xFFFFFFFF;

  std::string fingerprint, path;  // path: field names from the root on
  uint32_t parent = kNoParent;    // the group one step before; smaller than its own number
  TypeIndex type;                 // none where no object asked for is here
  uint64_t objects = 0, bytes = 0;
  uint64_t retained = 0;  // together, each byte once
  ObjectIndex example;    // the first in path order
};

enum class ObjectOrder { kRetained, kBytes, kAddress };

struct ObjectRequest {
  std::vector<bool> types = {};                        // by TypeIndex; empty: all
  std::shared_ptr<const std::vector<bool>> only = {};  // by ObjectIndex, where it is only about some; else null
  std::optional<snapshot::Generation> generation = {};
  bool unreachable = false;  // these instead of the reachable ones
  ObjectOrder order = ObjectOrder::kRetained;
  uint64_t limit = 30;
};

struct ObjectList {
  std::vector<ObjectInfo> objects;
  ObjectTotals total;  // also those left out
};

}  // namespace cairn::session
