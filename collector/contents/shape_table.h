#pragma once
// MethodTable → the value slots that are kept of its objects. Built before the pause; a look-up allocates nothing and
// is made once per type and walker.
// Thread rule: one thread fills it, then any thread may look things up.

#include <cstdint>
#include <span>
#include <vector>

#include "snapshot-format/stream/chunk.h"

namespace cairn::collector {

class ShapeTable {
 public:
  // What is kept of the objects of one type; both empty for most.
  struct Shape {
    std::span<const uint32_t> slots;  // packed stream::ValueSlots
    uint32_t code[2] = {};            // offsets of addresses of code; 0: none. It is a delegate
  };

  // Copies the slots. Once for each type that was looked at, whether it keeps something or not.
  void Add(uint64_t method_table, const Shape& shape);
  // No more is added: makes the table that Find uses.
  void Close();

  // nullptr: the type was not known when the table was made.
  const Shape* Find(uint64_t method_table) const;
  size_t Types() const { return entries_.size(); }

 private:
  struct Entry {
    uint64_t method_table = 0;
    size_t first_slot = 0;
    Shape shape;
  };
  size_t BucketOf(uint64_t method_table) const;

  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> buckets_;  // 1 + index into entries_; 0: empty. A power of two of them
};

}  // namespace cairn::collector
