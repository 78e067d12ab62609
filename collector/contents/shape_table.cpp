#include "collector/contents/shape_table.h"

#include <bit>

namespace cairn::collector {

void ShapeTable::Add(uint64_t method_table, const Shape& shape) {
  entries_.push_back({method_table, slots_.size(), shape});
  slots_.insert(slots_.end(), shape.slots.begin(), shape.slots.end());
}

size_t ShapeTable::BucketOf(uint64_t method_table) const {
  return (method_table >> 3) * 0x9E3779B97F4A7C15u >> 20 & (buckets_.size() - 1);
}

void ShapeTable::Close() {
  buckets_.assign(std::bit_ceil(entries_.size() * 2 + 1), 0);
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    entry.shape.slots = std::span(slots_).subspan(entry.first_slot, entry.shape.slots.size());
    size_t at = BucketOf(entry.method_table);
    while (buckets_[at] != 0) at = (at + 1) & (buckets_.size() - 1);
    buckets_[at] = i + 1;
  }
}

const ShapeTable::Shape* ShapeTable::Find(uint64_t method_table) const {
  if (buckets_.empty()) return nullptr;
  for (size_t at = BucketOf(method_table); buckets_[at] != 0; at = (at + 1) & (buckets_.size() - 1)) {
    const Entry& entry = entries_[buckets_[at] - 1];
    if (entry.method_table == method_table) return &entry.shape;
  }
  return nullptr;
}

}  // namespace cairn::collector
