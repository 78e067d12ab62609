#pragma once
// What a snapshot holds, as plain data: the small tables whole, the chunks one by one.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snapshot-format/file/sampling.h"
#include "snapshot-format/stream/chunk.h"
#include "snapshot-format/stream/kinds.h"

namespace cairn::snapshot {

inline constexpr uint32_t kNoId = 0xFFFFFFFF;

using stream::FieldKind;
using stream::Generation;
using stream::kGenerationCount;
using stream::RootKind;
using stream::TypeKind;

const char* GenerationName(Generation generation);  // "gen0" … "frozen", as in the contract
const char* RootKindName(RootKind kind);            // "static" … "handle-weak"

struct Problem {
  std::string code;
  std::string message;
  bool incomplete = true;  // false: a warning
};

struct Process {
  int64_t pid = 0;
  std::string name;
  std::string command_line;
  std::string runtime;       // "10.0.12"
  std::string gc_mode;       // "server" or "workstation"
  std::string architecture;  // "x64"
  uint8_t pointer_size = 8;
  uint8_t address_shift = 3;  // log2 of the smallest object alignment
};

struct Pause {
  double total_ms = 0, suspend_ms = 0, gc_ms = 0, roots_ms = 0, walk_ms = 0, fork_ms = 0;
};

struct Memory {
  uint64_t rss_bytes = 0;
  uint64_t gc_committed_bytes = 0;
  std::optional<uint64_t> limit_bytes;
  uint64_t copied_bytes = 0;
};

// How and when it was captured. Times of day are UTC, ISO 8601.
struct Capture {
  std::string id;  // 32 hex digits, random: names the snapshot in caches
  std::string captured_at;
  std::string cairn_version;
  std::string gc_requested;  // "young" or "full"
  std::string gc_actual;     // "gen0", "gen1", "full"
  std::string roots;         // "full" or "young"
  std::string method;        // "pause" or "fork"
  uint32_t threads = 1;
  bool through_api = false;
  Pause pause_ms;
  double concurrent_gc_off_ms = 0, child_ms = 0, elapsed_ms = 0;
  Memory memory;
  std::string reconciled_source;
  int64_t reconciled_difference_bytes = 0;  // ours minus the runtime's
  std::string strings = "none";             // what is kept of strings and primitive arrays: "none", "hash", "all"
  bool values = false;                      // of every primitive field; else only those that tell a shape
  // Hashes of two snapshots can be compared where this is the same; it tells nothing of the salt. Empty: no hashes.
  std::string salt_id;
};

struct Range {
  uint64_t start = 0, length = 0, reserved = 0;
  Generation generation{};
  uint32_t alignment = 8;
  uint64_t objects = 0, bytes = 0, free_objects = 0, free_bytes = 0, largest_free = 0, edges = 0;
  uint64_t walked = 0;  // bytes from start that were walked
};

struct Module {
  std::string name;  // "Shop.dll"
  std::string path;
  bool collectible = false;
};

struct Field {
  std::string name;     // "_map.Count"
  uint32_t offset = 0;  // from the object's start, or from the component's start in array types
  FieldKind kind{};
  uint8_t element_type = 0;
  std::string type;
};

struct Type {
  std::string name;
  uint32_t module = kNoId;
  std::string base;
  uint32_t base_type = kNoId;
  TypeKind kind = TypeKind::kUnknown;
  uint8_t rank = 0;
  std::string element;
  bool collectible = false;
  uint64_t method_table = 0;
  stream::TypeLayout layout;
  std::vector<uint32_t> fixed_slots;    // offsets; size() == layout.fixed_slots
  std::vector<uint32_t> element_slots;  // offsets; size() == layout.element_slots
  std::vector<uint32_t> value_slots;    // packed stream::ValueSlots; size() == layout.value_slots
  uint32_t elements_offset = 0;
  uint64_t loader_allocator = 0;  // address of the object; 0 for none
  uint64_t objects = 0;           // summary: all objects of this type, garbage included
  uint64_t bytes = 0;
};

struct Thread {
  uint32_t os_id = 0, managed_id = 0;
  std::string name;
};

struct Root {
  RootKind kind{};
  uint64_t object = 0;  // address
  uint64_t source = 0;  // address of the handle or static slot; 0 for none
  std::string name;
  uint32_t thread = kNoId;
  bool certain = true;
  bool interior = false;
  bool pinning = false;
};

// Where code begins that delegates of the snapshot point to.
struct Method {
  uint64_t address = 0;
  std::string name;  // "Shop.Prices.OnChanged(System.Object)"
};

struct Dependent {
  uint64_t primary = 0, secondary = 0;
};

// Objects of the snapshot before that lie in [from, from + length) lie at `to` now. Not certain: what is at `to` may
// as well be others that came into their place.
struct IdentityRange {
  uint64_t from = 0, to = 0, length = 0;
  bool certain = true;
  bool operator==(const IdentityRange&) const = default;
};

// Of a snapshot taken while objects were followed (`watch --track`): what became of the objects of the one before.
struct Tracking {
  std::string previous;               // capture.id of the snapshot before in the series; empty: this is the first
  std::string lost;                   // why nothing is known of them; empty: everything outside `ranges` is dead
  uint64_t collections = 0;           // between the two, this one's own included
  uint64_t background = 0;            // of these, concurrent
  std::vector<IdentityRange> ranges;  // in order of `from`, not overlapping
};

struct Totals {
  uint64_t objects = 0, bytes = 0, free_objects = 0, free_bytes = 0, edges = 0;
  uint64_t chunks = 0, roots = 0, dependents = 0;
  uint32_t types = 0;
};

struct GenerationTotals {
  uint64_t objects = 0, bytes = 0, free_objects = 0, free_bytes = 0, ranges = 0;
};

// Everything small: read whole at open, checked against the file's own checksum.
struct Summary {
  Process process;
  Capture capture;
  Totals totals;
  bool complete = false;
  std::vector<Problem> problems;
  std::vector<Range> ranges;  // in address order
  std::vector<Module> modules;
  std::vector<Type> types;  // by type id
  std::vector<Thread> threads;
  std::vector<Root> roots;
  std::vector<Dependent> dependents;
  std::vector<Method> methods;       // by address
  std::optional<Tracking> tracking;  // none: objects were not followed
  std::optional<Sampling> sampling;  // none: allocations were not sampled
};

// The method whose code begins at `address`; nullptr where it is not known.
const Method* FindMethod(const Summary& summary, uint64_t address);

// The totals that follow from the summary's other members: all but the chunks.
void FillTotals(Summary& summary);

// Sums of the ranges, by Generation.
std::vector<GenerationTotals> TotalsByGeneration(const std::vector<Range>& ranges);

}  // namespace cairn::snapshot
