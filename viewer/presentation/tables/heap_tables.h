#pragma once
// How the heap lies in memory: by range, by generation, and its gaps by size.

#include <vector>

#include "viewer/presentation/tables/table.h"
#include "viewer/session/heap_layout.h"

namespace cairn::presentation {

enum class RangeOrder { kAddress, kFreeBytes };

class HeapRangesTable : public Table {
 public:
  // Both outlive the table.
  HeapRangesTable(const snapshot::Summary& summary, const session::HeapLayout& layout, RangeOrder order);

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  const snapshot::Summary& summary_;
  const session::HeapLayout& layout_;
  std::vector<uint32_t> rows_;  // ranges
};

// Sums of the ranges; only generations that have any.
class HeapGenerationsTable : public Table {
 public:
  HeapGenerationsTable(const snapshot::Summary& summary, const session::HeapLayout& layout);

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  struct Sum {
    snapshot::Generation generation{};
    uint64_t ranges = 0, length = 0, reserved = 0, bytes = 0, free_bytes = 0, largest_free = 0, pinned_objects = 0;
  };
  std::vector<Sum> rows_;
};

class GapsTable : public Table {
 public:
  explicit GapsTable(const session::HeapLayout& layout) : layout_(layout) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return layout_.gaps.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  const session::HeapLayout& layout_;
};

}  // namespace cairn::presentation
