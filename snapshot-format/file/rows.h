#pragma once
// One description per table serves writing and reading: the columns in the order of the schema, id first.
// FORMAT.md, "Tables", is normative. Private to snapshot-format/file.

#include "snapshot-format/file/chunk_row.h"
#include "snapshot-format/file/model.h"

namespace cairn::snapshot {

// Counts of the kinds, for the check of stored values.
inline constexpr unsigned kTypeKinds = 5;
inline constexpr unsigned kFieldKinds = 3;

// Fields are read on demand: the types table tells how many a type has and what they must hash to.
struct FieldsStamp {
  uint32_t count = 0;
  uint32_t checksum = 0;
};

struct TypeRow {
  Type type;
  FieldsStamp fields;
};

struct CompletenessRow {
  std::string table;
  uint64_t rows = 0;
  std::optional<uint64_t> checksum;  // none: the rows carry their own
};

template <class A>
void Row(A& a, Problem& r) {
  a("code", r.code), a("message", r.message), a("incomplete", r.incomplete);
}

template <class A>
void Row(A& a, Range& r) {
  a("start", r.start), a("length", r.length), a("reserved", r.reserved);
  a("generation", r.generation, kGenerationCount);
  a("alignment", r.alignment), a("objects", r.objects), a("bytes", r.bytes);
  a("free_objects", r.free_objects), a("free_bytes", r.free_bytes), a("largest_free", r.largest_free);
  a("edges", r.edges), a("walked", r.walked);
}

template <class A>
void Row(A& a, Module& r) {
  a("name", r.name), a("path", r.path), a("collectible", r.collectible);
}

template <class A>
void Row(A& a, TypeRow& r) {
  Type& t = r.type;
  a("name", t.name), a.Id("module", t.module), a("base", t.base), a.Id("base_type", t.base_type);
  a("kind", t.kind, kTypeKinds), a("rank", t.rank), a("element", t.element), a("collectible", t.collectible);
  a("method_table", t.method_table), a("base_size", t.layout.base_size);
  a("component_size", t.layout.component_size), a("explicit_slots", t.layout.explicit_slots);
  a.Offsets("fixed_slots", t.fixed_slots, t.layout.fixed_slots);
  a.Offsets("element_slots", t.element_slots, t.layout.element_slots);
  a.Offsets("value_slots", t.value_slots, t.layout.value_slots);
  a("has_hash", t.layout.has_hash), a("has_text", t.layout.has_text);
  a("elements_offset", t.elements_offset), a("loader_allocator", t.loader_allocator);
  a("objects", t.objects), a("bytes", t.bytes);
  a("field_count", r.fields.count), a("fields_checksum", r.fields.checksum);
}

template <class A>
void Row(A& a, Thread& r) {
  a("os_id", r.os_id), a("managed_id", r.managed_id), a("name", r.name);
}

template <class A>
void Row(A& a, Root& r) {
  a("kind", r.kind, stream::kRootKindCount), a("object", r.object), a("source", r.source), a("name", r.name);
  a.Id("thread", r.thread), a("certain", r.certain), a("interior", r.interior), a("pinning", r.pinning);
}

template <class A>
void Row(A& a, Dependent& r) {
  a("primary_object", r.primary), a("secondary_object", r.secondary);
}

template <class A>
void Row(A& a, Method& r) {
  a("address", r.address), a("name", r.name);
}

// Its ranges are rows of a table of their own.
template <class A>
void Row(A& a, Tracking& r) {
  a("previous", r.previous), a("lost", r.lost), a("collections", r.collections), a("background", r.background);
}

template <class A>
void Row(A& a, IdentityRange& r) {
  a("from_address", r.from), a("to_address", r.to), a("length", r.length), a("certain", r.certain);
}

// What it holds besides are rows of tables of their own.
template <class A>
void Row(A& a, Sampling& r) {
  a("source", r.source, kSamplingSources), a("seconds", r.seconds), a("mean_bytes", r.mean_bytes);
  a("samples", r.samples), a("dropped", r.dropped), a("unmatched", r.unmatched), a("lost", r.lost);
}

template <class A>
void Row(A& a, AllocationMethod& r) {
  a("name", r.name);
}

template <class A>
void Row(A& a, AllocationFrame& r) {
  a.Id("parent", r.parent), a("method", r.method), a("cut", r.cut);
}

template <class A>
void Row(A& a, AllocationTotal& r) {
  a("type", r.type), a("stack", r.stack), a("samples", r.samples), a("objects", r.objects), a("bytes", r.bytes);
  a("exact", r.exact);
}

template <class A>
void Row(A& a, AllocatedObject& r) {
  a("object", r.object), a("stack", r.stack);
}

template <class A>
void Row(A& a, ChunkRow& r) {
  stream::ChunkHeader& h = r.header;
  a("range", h.range), a("sequence", h.sequence), a("first_address", h.first_address);
  a("end_address", h.end_address), a("continued_object", h.continued_object);
  a("continued_slot", h.continued_slot), a("continued_type", h.continued_type);
  a("continued_slots", h.continued_slots), a("object_count", h.object_count), a("slot_count", h.slot_count);
  a("types_bytes", r.raw_size[0]), a("lengths_bytes", r.raw_size[1]), a("gaps_bytes", r.raw_size[2]);
  a("references_bytes", r.raw_size[3]), a("values_bytes", r.raw_size[4]), a("hashes_bytes", r.raw_size[5]);
  a("texts_bytes", r.raw_size[6]);
}

template <class A>
void Row(A& a, CompletenessRow& r) {
  a("name", r.table), a("row_count", r.rows), a("checksum", r.checksum);
}

// The metadata table has one row per name; `a` takes them in this order.
template <class A>
void Metadata(A& a, Summary& s) {
  Process& p = s.process;
  a("process.pid", p.pid), a("process.name", p.name), a("process.command_line", p.command_line);
  a("process.runtime", p.runtime), a("process.gc_mode", p.gc_mode), a("process.architecture", p.architecture);
  a("process.pointer_size", p.pointer_size), a("process.address_shift", p.address_shift);
  Capture& c = s.capture;
  a("capture.id", c.id), a("capture.captured_at", c.captured_at), a("capture.cairn_version", c.cairn_version);
  a("capture.gc_requested", c.gc_requested), a("capture.gc_actual", c.gc_actual), a("capture.roots", c.roots);
  a("capture.method", c.method), a("capture.threads", c.threads), a("capture.through_api", c.through_api);
  a("pause_ms.total", c.pause_ms.total_ms), a("pause_ms.suspend", c.pause_ms.suspend_ms);
  a("pause_ms.gc", c.pause_ms.gc_ms), a("pause_ms.roots", c.pause_ms.roots_ms);
  a("pause_ms.walk", c.pause_ms.walk_ms), a("pause_ms.fork", c.pause_ms.fork_ms);
  a("capture.concurrent_gc_off_ms", c.concurrent_gc_off_ms), a("capture.child_ms", c.child_ms);
  a("capture.elapsed_ms", c.elapsed_ms);
  a("memory.rss_bytes", c.memory.rss_bytes), a("memory.gc_committed_bytes", c.memory.gc_committed_bytes);
  a("memory.limit_bytes", c.memory.limit_bytes), a("memory.copied_bytes", c.memory.copied_bytes);
  a("reconciled.source", c.reconciled_source), a("reconciled.difference_bytes", c.reconciled_difference_bytes);
  a("capture.strings", c.strings), a("capture.values", c.values), a("capture.salt_id", c.salt_id);
  Totals& t = s.totals;
  a("totals.objects", t.objects), a("totals.bytes", t.bytes), a("totals.free_objects", t.free_objects);
  a("totals.free_bytes", t.free_bytes), a("totals.edges", t.edges), a("totals.chunks", t.chunks);
  a("totals.roots", t.roots), a("totals.dependents", t.dependents), a("totals.types", t.types);
  a("complete", s.complete);
}

}  // namespace cairn::snapshot
