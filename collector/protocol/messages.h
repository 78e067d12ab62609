#pragma once
// Payloads of the frames. Each struct has one Fields function that an archive (see
// snapshot-format/stream/records.h) walks in either direction. Batches repeat a frame kind.
// All addresses and sizes are in bytes; 0 as an address means "none".

#include <cstdint>
#include <string>
#include <vector>

#include "collector/protocol/protocol.h"
#include "snapshot-format/stream/chunk.h"
#include "snapshot-format/stream/kinds.h"

namespace cairn::protocol {

using stream::FieldKind;
using stream::Generation;
using stream::RootKind;
using stream::TypeKind;

struct Hello {
  uint32_t version = kProtocolVersion;
  uint8_t nonce[kNonceBytes] = {};
  int32_t pid = 0;              // as the target sees itself
  std::string runtime_version;  // "10.0.12"
  uint8_t pointer_size = 8;
  uint8_t address_shift = 3;    // log2 of the smallest object alignment
  bool server_gc = false;
  bool of_child = false;        // the second connection of a capture, over which a forked child will send
};
template <class A> void Fields(A& a, Hello& m) {
  a(m.version); a(m.nonce); a(m.pid); a(m.runtime_version); a(m.pointer_size); a(m.address_shift); a(m.server_gc);
  a(m.of_child);
}

struct State {
  CaptureState state{};
  uint64_t done = 0;   // work done and to do in this state; both 0 where it is not countable
  uint64_t total = 0;
};
template <class A> void Fields(A& a, State& m) { a(m.state); a(m.done); a(m.total); }

struct Range {
  uint64_t start = 0;
  uint64_t length = 0;    // used part, walked exactly
  uint64_t reserved = 0;
  Generation generation{};
  uint32_t alignment = 8;
  uint64_t objects = 0;   // Free objects not counted
  uint64_t bytes = 0;
  uint64_t free_objects = 0;
  uint64_t free_bytes = 0;
  uint64_t largest_free = 0;
  uint64_t edges = 0;     // non-null slots
  uint64_t walked = 0;    // bytes from start that were walked; less than length: see the problems
};
template <class A> void Fields(A& a, Range& m) {
  a(m.start); a(m.length); a(m.reserved); a(m.generation); a(m.alignment); a(m.objects); a(m.bytes);
  a(m.free_objects); a(m.free_bytes); a(m.largest_free); a(m.edges); a(m.walked);
}
struct Ranges { std::vector<Range> ranges; };  // in address order
template <class A> void Fields(A& a, Ranges& m) { a(m.ranges); }

// One type as the walk met it. Ids are ranked: 0 is the type with the most objects.
struct Type {
  uint32_t id = 0;
  uint64_t method_table = 0;
  uint64_t base_size = 0;
  uint32_t component_size = 0;
  bool explicit_slots = false;
  std::vector<uint32_t> fixed_slots;    // offsets of the reference slots from the object's start
  std::vector<uint32_t> element_slots;  // offsets within one component
  uint32_t elements_offset = 0;         // from the object's start to its first component
  uint64_t loader_allocator = 0;        // object that collectible instances keep alive; 0 for others
  uint64_t objects = 0;
  uint64_t bytes = 0;
  std::vector<uint32_t> value_slots = {};  // packed stream::ValueSlots
  bool has_hash = false, has_text = false;
};
template <class A> void Fields(A& a, Type& m) {
  a(m.id); a(m.method_table); a(m.base_size); a(m.component_size); a(m.explicit_slots); a(m.fixed_slots);
  a(m.element_slots); a(m.value_slots); a(m.has_hash); a(m.has_text); a(m.elements_offset); a(m.loader_allocator); a(m.objects); a(m.bytes);
}
struct Types { std::vector<Type> types; };
template <class A> void Fields(A& a, Types& m) { a(m.types); }

// The payload of kChunk: this struct, then for each column with raw_size > 0 its compressed bytes, in
// the order of the columns. Each is one zstd frame.
struct ChunkColumn {
  uint8_t kind = 0;
  uint32_t raw_size = 0;
  uint32_t compressed_size = 0;
};
template <class A> void Fields(A& a, ChunkColumn& m) { a(m.kind); a(m.raw_size); a(m.compressed_size); }

struct ChunkNumbers {
  uint32_t range = 0, sequence = 0;
  uint64_t first_address = 0, end_address = 0, continued_object = 0, continued_slot = 0;
  uint32_t continued_type = 0, continued_slots = 0, object_count = 0, slot_count = 0;
};
template <class A> void Fields(A& a, ChunkNumbers& m) {
  a(m.range); a(m.sequence); a(m.first_address); a(m.end_address); a(m.continued_object); a(m.continued_slot);
  a(m.continued_type); a(m.continued_slots); a(m.object_count); a(m.slot_count);
}
inline ChunkNumbers NumbersOf(const stream::ChunkHeader& header) {
  return {header.range, header.sequence, header.first_address, header.end_address, header.continued_object,
          header.continued_slot, header.continued_type, header.continued_slots, header.object_count,
          header.slot_count};
}
struct Chunk : ChunkNumbers {
  std::vector<ChunkColumn> columns;
};
template <class A> void Fields(A& a, Chunk& m) { Fields(a, static_cast<ChunkNumbers&>(m)); a(m.columns); }

struct Module {
  uint32_t id = 0;
  std::string name;  // "Shop.dll"
  std::string path;
  bool collectible = false;
};
template <class A> void Fields(A& a, Module& m) { a(m.id); a(m.name); a(m.path); a(m.collectible); }
struct Modules { std::vector<Module> modules; };
template <class A> void Fields(A& a, Modules& m) { a(m.modules); }

inline constexpr uint32_t kNoId = 0xFFFFFFFF;

// An instance field, structs flattened to paths: "_map.Count", "items[2].Key".
struct Field {
  std::string name;
  uint32_t offset = 0;      // from the object's start; for element types of arrays: from the component's start
  FieldKind kind{};
  uint8_t element_type = 0; // CorElementType of primitives
  std::string type;         // full name of the declared type
};
template <class A> void Fields(A& a, Field& m) { a(m.name); a(m.offset); a(m.kind); a(m.element_type); a(m.type); }

struct TypeName {
  uint32_t id = 0;
  std::string name;            // full, as ClrMD prints it
  uint32_t module = kNoId;
  std::string base;            // full name of the base type; empty for none
  uint32_t base_type = kNoId;  // its id where it is a type of this snapshot
  TypeKind kind{};
  uint8_t rank = 0;            // of an array; 0 otherwise
  std::string element;         // full name of an array's element type
  bool collectible = false;
  // Fields of the object, bases included, by offset. For an array of structs: the fields of one component.
  std::vector<Field> fields;
};
template <class A> void Fields(A& a, TypeName& m) {
  a(m.id); a(m.name); a(m.module); a(m.base); a(m.base_type); a(m.kind); a(m.rank); a(m.element); a(m.collectible);
  a(m.fields);
}
struct TypeNames { std::vector<TypeName> types; };
template <class A> void Fields(A& a, TypeNames& m) { a(m.types); }

struct Root {
  RootKind kind{};
  uint64_t object = 0;       // address
  uint64_t source = 0;       // handle address for handles, 0 else
  std::string name;          // frame's method for locals; empty where there is none
  uint32_t thread = kNoId;   // index into the threads, where certain
  bool certain = true;
  bool interior = false;
  bool pinning = false;
};
template <class A> void Fields(A& a, Root& m) {
  a(m.kind); a(m.object); a(m.source); a(m.name); a(m.thread); a(m.certain); a(m.interior); a(m.pinning);
}
struct Roots { std::vector<Root> roots; };
template <class A> void Fields(A& a, Roots& m) { a(m.roots); }

struct Dependent { uint64_t primary = 0, secondary = 0; };
template <class A> void Fields(A& a, Dependent& m) { a(m.primary); a(m.secondary); }
struct Dependents { std::vector<Dependent> dependents; };
template <class A> void Fields(A& a, Dependents& m) { a(m.dependents); }

// Where code begins that delegates point to.
struct Method {
  uint64_t address = 0;
  std::string name;
};
template <class A> void Fields(A& a, Method& m) { a(m.address); a(m.name); }
struct Methods { std::vector<Method> methods; };
template <class A> void Fields(A& a, Methods& m) { a(m.methods); }

struct Thread {
  uint32_t os_id = 0;
  uint32_t managed_id = 0;  // 0: unknown
  std::string name;
};
template <class A> void Fields(A& a, Thread& m) { a(m.os_id); a(m.managed_id); a(m.name); }
struct Threads { std::vector<Thread> threads; };
template <class A> void Fields(A& a, Threads& m) { a(m.threads); }

// What the client resolves out of the chunks, never out of the target, so that it is what the pause saw:
//   kStatic, kThreadStatic   a field whose value lies in a slot inside a heap object (the runtime's slot arrays). With
//                            an empty name: the address of some slot of an array that belongs to such fields
//   kLocal                   an address on a stack that points into a heap object, not to its start
// Of a static struct only the box is known that its slot refers to: `slot_address` is that of the struct in it, asked
// for after the pause, and `boxed_type` the type that an object there must have.
struct Static {
  std::string name;           // "Shop.Cache.Instance"
  uint64_t slot_address = 0;
  RootKind kind = RootKind::kStatic;
  uint32_t thread = kNoId;    // index into the threads
  std::string boxed_type{};   // "Shop.Money"; empty: `slot_address` is the slot
};
template <class A> void Fields(A& a, Static& m) {
  a(m.name); a(m.slot_address); a(m.kind); a(m.thread); a(m.boxed_type);
}
struct Statics { std::vector<Static> statics; };
template <class A> void Fields(A& a, Statics& m) { a(m.statics); }

// `incomplete`: the snapshot is not complete because of it. Otherwise a warning.
struct Problem {
  std::string code;     // "walk.bad_method_table"
  std::string message;  // one sentence with the address, the count, and what it means
  bool incomplete = true;
};
template <class A> void Fields(A& a, Problem& m) { a(m.code); a(m.message); a(m.incomplete); }

struct WalkEnd {
  uint64_t objects = 0, bytes = 0, free_objects = 0, free_bytes = 0, edges = 0;
  uint64_t chunks = 0;
  uint32_t types = 0;
  uint8_t condemned = 0;         // generation that the GC collected; 2 and blocking is "full"
  bool blocking = true;
  bool through_api = false;      // the self-check failed and every object came through the profiling API
  uint32_t threads = 1;
  double pause_total_ms = 0, pause_suspend_ms = 0, pause_gc_ms = 0, pause_roots_ms = 0, pause_walk_ms = 0;
  double pause_fork_ms = 0;
  bool forked = false;           // a child walks: chunks and edges are counted in its ChildWalk, not here
  uint64_t checked_objects = 0;  // by the self-check
  std::string reconciled_source; // what the runtime's own figure is; empty when there was none
  uint64_t reconciled_bytes = 0; // that figure: objects and Free objects of the GC heap after this GC
  std::string salt_id;           // see snapshot::Capture; empty: no hashes
  uint64_t gc_committed_bytes = 0;  // by the runtime; 0: it does not say
};
template <class A> void Fields(A& a, WalkEnd& m) {
  a(m.objects); a(m.bytes); a(m.free_objects); a(m.free_bytes); a(m.edges); a(m.chunks); a(m.types); a(m.condemned);
  a(m.blocking); a(m.through_api); a(m.threads); a(m.pause_total_ms); a(m.pause_suspend_ms); a(m.pause_gc_ms);
  a(m.pause_roots_ms); a(m.pause_walk_ms); a(m.pause_fork_ms); a(m.forked); a(m.checked_objects); a(m.reconciled_source); a(m.reconciled_bytes); a(m.salt_id);
  a(m.gc_committed_bytes);
}

// What a forked child found out in its second pass, behind its last chunk. Everything else was told before.
struct ChildWalk {
  uint64_t edges = 0, chunks = 0;
  uint64_t copied_bytes = 0;  // memory that exists twice because of the fork
};
template <class A> void Fields(A& a, ChildWalk& m) { a(m.edges); a(m.chunks); a(m.copied_bytes); }
// As it travels.
struct ChildWalkFrame : ChildWalk { std::vector<uint64_t> range_edges; };
template <class A> void Fields(A& a, ChildWalkFrame& m) { Fields(a, static_cast<ChildWalk&>(m)); a(m.range_edges); }

// Exit codes of the child too. Do not renumber.
enum class ChildFate : uint8_t {
  kDone = 0,
  kClientGone = 40,
  kClientSilent = 41,  // took nothing for the deadline
  kNoMemory = 42,
  kFault = 43,         // of ours
  kKilled = 255,       // by `signal`
};
struct ChildEnd {
  ChildFate fate{};
  int32_t signal = 0;
  double child_ms = 0;
};
template <class A> void Fields(A& a, ChildEnd& m) { a(m.fate); a(m.signal); a(m.child_ms); }

struct Detached { double concurrent_gc_off_ms = 0; };
template <class A> void Fields(A& a, Detached& m) { a(m.concurrent_gc_off_ms); }

// An observation has begun; the two clocks at one moment, since its blocks carry times of the first.
struct Observing {
  uint64_t monotonic_ns = 0;
  uint64_t realtime_ns = 0;  // since 1970
  bool stays = false;        // the process can no longer be detached from
};
template <class A> void Fields(A& a, Observing& m) { a(m.monotonic_ns); a(m.realtime_ns); a(m.stays); }

struct ObservationEnd {
  bool stays = false;          // the collector keeps its control socket
  bool target_exits = false;   // what happened at the very end may be missing
};
template <class A> void Fields(A& a, ObservationEnd& m) { a(m.stays); a(m.target_exits); }

struct End { uint64_t chunks = 0; uint64_t frames = 0; };
template <class A> void Fields(A& a, End& m) { a(m.chunks); a(m.frames); }

struct Refused { std::string code, message, hint; };
template <class A> void Fields(A& a, Refused& m) { a(m.code); a(m.message); a(m.hint); }

}  // namespace cairn::protocol
