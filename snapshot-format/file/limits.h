#pragma once
// What a reader accepts before it allocates anything. Every count and length of a file meets these.

#include <cstdint>

namespace cairn::snapshot {

struct Limits {
  uint64_t max_file_bytes = 1ull << 42;
  uint64_t max_objects = 1ull << 36;
  uint32_t max_types = 1u << 22;
  uint32_t max_fields_per_type = 1u << 20;
  uint32_t max_slots_per_type = 131072;  // stream::kMaxFixedSlots
  uint32_t max_ranges = 1u << 24;
  uint64_t max_heap_bytes = 1ull << 43;  // sum of the ranges; bounds the verifier's tables
  uint32_t max_chunks = 1u << 28;
  uint64_t max_roots = 1ull << 28;     // dependent handles too
  uint32_t max_small_rows = 1u << 24;  // of each other table: modules, threads, problems
  uint32_t max_identity_ranges = 1u << 23;
  uint32_t max_allocation_rows = 1u << 22;  // of each of the tables about them
  uint32_t max_text_bytes = 1u << 20;
  uint32_t max_column_bytes = 8u << 20;  // raw; above the worst case of any chunk
};

}  // namespace cairn::snapshot
